"""A C program that prints the layout of what the public headers define: the size of each struct
with the offsets of its members, and the value of each enumerator. For tests/abi.sh.

    abi.py HEADER... >program.c
"""
import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def declarators(body):
    """The names of the members of a struct, in their order."""
    for line in body.split(";"):
        line = line.strip()
        if not line:
            continue
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", line)
        if pointer:  # to a function
            yield pointer.group(1)
            continue
        for part in re.sub(r"\[[^]]*\]", "", line).split(","):
            yield re.findall(r"\w+", part)[-1]


def main():
    print("#include <stdio.h>")
    print("#include <stddef.h>")
    for path in sys.argv[1:]:
        print(f'#include "{path.split("/")[-1]}"')
    print("int main(void)\n{")
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = without_comments(file.read())
        for tag, body in re.findall(r"struct (\w+) \{(.*?)\n\}", text, flags=re.S):
            print(f'    printf("struct {tag}: %zu\\n", sizeof(struct {tag}));')
            for name in declarators(body):
                print(f'    printf("    %zu {name}\\n", offsetof(struct {tag}, {name}));')
        for tag, body in re.findall(r"\benum (\w*) ?\{(.*?)\}", text, flags=re.S):
            print(f'    puts("enum {tag}:");')
            for name in re.findall(r"(?:^|,)\s*(DPC_\w+)", re.sub(r"\([^()]*\)", "", body)):
                print(f'    printf("    {name} = %d\\n", (int){name});')
    print("    return 0;\n}")


main()

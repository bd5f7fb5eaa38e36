"""Makes the tables of the tests: data.py GOLDEN FOLDER.

Most are one golden table, tiny20, in another dress, so that the expected graph is known.
"""
import csv
import gzip
import io
import math
import os
import random
import shutil
import sys

golden, folder = sys.argv[1:]
chance = random.Random(1)


def write(name, text):
    if isinstance(text, str):
        text = text.encode()
    with open(os.path.join(folder, name), "wb") as file:
        file.write(text)


def read(name):
    with open(os.path.join(golden, name, "data.csv"), newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def table(names, rows, mark=",", end="\n"):
    """Text of a table; names and cells are put in quotes where they need it."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=end)
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def columns(**named):
    """A table from columns of numbers or texts."""
    return table(named, zip(*named.values()))


def noise(count=200, scale=1.0):
    return [chance.gauss(0, scale) for _ in range(count)]


names, rows = read("tiny20")
plain = table(names, rows)

# ---- tiny20 in other dresses ----

write("tiny.csv", plain)
for name in "dense40", "wide150", "heavy30-copula":
    shutil.copy(os.path.join(golden, name, "data.csv"), os.path.join(folder, name + ".csv"))
write("other.csv", plain)
write("tiny.csv.gz", gzip.compress(plain.encode()))
write("members.gz", gzip.compress(plain[:1000].encode()) + gzip.compress(plain[1000:].encode()))
write("truncated.gz", gzip.compress(plain.encode())[:-500])
packed = bytearray(gzip.compress(plain.encode()))
packed[len(packed) // 2] ^= 0x55
write("corrupt.gz", bytes(packed))
write("crlf.csv", plain.replace("\n", "\r\n"))
write("cr.csv", plain.replace("\n", "\r"))
write("bom.csv", b"\xef\xbb\xbf" + plain.encode())
quoted = "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in plain.splitlines())
write("quoted.csv", quoted + "\n")
write("bom-quoted.csv", b"\xef\xbb\xbf" + quoted.encode())
write("tabs.tsv", table(names, rows, "\t"))
write("semicolons.csv", table(names, rows, ";"))
write("no-end.csv", plain.rstrip("\n"))
write("blank-lines.csv", "\n\n" + plain + "\n\n\n")
write("padded.csv", plain.replace(",", " , "))
labels = [f"s{i}" for i in range(len(rows))]
labelled = [[label] + row for label, row in zip(labels, rows)]
numbered = [[str(i)] + row for i, row in enumerate(rows)]
write("rownames-empty.csv", table([""] + names, labelled))
write("rownames-short.csv", table(names, labelled))
write("rownames-text.csv", table(["sample"] + names, labelled))
write("rownames-quoted.tsv", table([""] + names, [['a "b"\tc,' + row[0]] + row[1:] for row in labelled], "\t"))
write("rownumbers-empty.csv", table([""] + names, numbered))
write("rownumbers-short.csv", table(names, numbered))

holes = [list(row) for row in rows[:5]]
for i, hole in enumerate(["NA", "", "nan", "N/A", "NULL"]):
    holes[i][i] = hole
write("missing.csv", table(names, holes[:2] + rows[:50] + holes[2:4] + rows[50:] + holes[4:]))
write("missing-all.csv", columns(a=noise(), gap=["NA"] * 200, b=noise()))
write("missing-most.csv", columns(a=noise(), gap=[1, 2, 4] + ["NA"] * 197, b=noise()))

strange = [
    "a b", "c,d", 'say "hi"', "x;y", "Größe", "変数", "😀", "it's", "back\\slash", "end\\",
    "--alpha", "-o", "A --> B", "#hash", "{brace}", "<b>&amp;</b>", "%s%n", "x" * 3000, "NA", "1",
]
write("names.csv", table(strange, rows))
write("blanks.csv", ",".join(f'" {name}  "' if i % 2 else name for i, name in enumerate(names)) + "\n"
      + plain.split("\n", 1)[1])

values = [[float(cell) for cell in row] for row in rows]


def rescaled(change):
    return table(names, [[repr(change(v, j)) for j, v in enumerate(row)] for row in values])


largest = max(abs(v) for row in values for v in row)
write("huge.csv", rescaled(lambda v, j: v / largest * 1.7e308 if j % 2 else v))
write("minute.csv", rescaled(lambda v, j: v * 1e-290 if j % 2 else v * 1e-305))
write("shifted.csv", rescaled(lambda v, j: v + 1e5 * j))
write("integers.csv", rescaled(lambda v, j: int(v > 0) if j < 3 else round(v * 10)))
spell = [lambda v: f"{v:+.17e}", lambda v: f"{v:.25f}", lambda v: f"{v:.17E}", repr, lambda v: f'"{v!r}"',
         lambda v: f"  {v!r} ", lambda v: f"{v:.17e}".replace("e", "0000e")]
write("spellings.csv", ",".join(names) + "\n" + "".join(
    ",".join(spell[(i + j) % len(spell)](v) for j, v in enumerate(row)) + "\n"
    for i, row in enumerate(values)))

# ---- The same as others write it ----

commas = [[cell.replace(".", ",") for cell in row] for row in rows]
write("decimal-commas.csv", table(names, commas, ";"))
write("decimal-commas.tsv", table(names, commas, "\t"))
write("decimal-commas.txt", table(names, commas, " "))
write("decimal-both.csv", "a;b\n1,5;1.5\n2,5;2.5\n3,5;4.5\n1,25;2.25\n")
lines = plain.splitlines()
write("comments.csv", "\n".join(["# made by hand", "# in a hurry"] + lines[:50] + ["# it's 5\" long, and, so, on"]
                                + lines[50:] + ["# the end"]) + "\n")
write("savetxt.txt", "# " + plain.replace(",", " "))
write("hash-names.csv", "#id,b,c\n" + "".join(f"{i},{i * i % 7},{i * 3 % 5}\n" for i in range(9)))
write("hash-rows.csv", "id,b,c\n" + "".join(f"{m}{i},{i * i % 7},{i * 3 % 5}\n" for i, m in enumerate("x#y#z#")))
write("no-header.csv", plain.split("\n", 1)[1])
write("iris.data", "".join(f"{4 + i % 5 / 10},{i * i % 7 + .5},Iris-{'abc'[i // 3]}\n" for i in range(9)))
turned = list(zip(*rows))
write("transposed.csv", "".join(",".join([n, *line]) + "\n" for n, line in zip(names, turned)))
write("transposed-samples.tsv", "\t".join(["gene"] + [f"s{i}" for i in range(len(rows))]) + "\n"
      + "".join("\t".join([n, *line]) + "\n" for n, line in zip(names, turned)))
write("transposed-text.csv", "".join(",".join([n, *line]) + "\n" for n, line in zip(names, turned))
      + ",".join(["note"] + ["ok"] * len(rows)) + "\n")
write("genes.csv", "gene," + ",".join(f"s{i}" for i in range(30)) + "\n" + "".join(
    f"g{j}," + ",".join(f"{chance.gauss(0, 1):.4f}" for _ in range(30)) + "\n" for j in range(8)))
write("more-columns.csv", table(["when"] + names + ["site", "extra1", "extra2", "x, y"], [
    [f"2024-01-{i % 28 + 1:02d}", *row, "ab"[i % 2], i % 3, 7 * i % 11, "z"] for i, row in enumerate(rows)]))
write("percent.csv", table(names, [[cell + "%" if j == 2 else cell + " %" if j == 4 else cell
                                    for j, cell in enumerate(row)] for row in rows]))
write("fortran.txt", table(names, [[f"{float(cell):.16e}".replace("e", "D") if j % 2 else cell
                                    for j, cell in enumerate(row)] for row in rows], "\t"))
write("thousands.csv", table(names, [[f"{float(cell) * 1e6:,.9f}" if j == 3 else cell
                                      for j, cell in enumerate(row)] for row in rows]))
write("sep.csv", "sep=;\r\n" + table(names, rows, ";", "\r\n"))
write("trailing.csv", plain.replace("\n", ",\n"))
write("trailing-rows.csv", lines[0] + "\n" + ",\n".join(lines[1:]) + ",\n")
write("trailing-header.csv", plain.replace("\n", ",\n", 1))
write("spare-cells.csv", plain.replace("\n", ",,\n") + ("," * (len(names) + 1) + "\n") * 3)
write("units.csv", lines[0] + "\n" + ",".join(["m/s", "(kg)"] + ["-"] * (len(names) - 2)) + "\n" + "\n".join(lines[1:]))
write("aligned.txt", "".join("".join(f"{cell:>26}" for cell in line.split(",")) + "\n" for line in lines))
write("aligned-rownames.txt", " ".join(f'"{n}"' for n in names) + "\n"
      + "".join(f'"{i + 1}" ' + " ".join(f"{cell:>24}" for cell in row) + "\n" for i, row in enumerate(rows)))
write("r-dataset.csv", ",".join(f'"{n}"' for n in [""] + names) + "\n"
      + "".join(f'"{i + 1}",' + ",".join(row) + "\n" for i, row in enumerate(rows)))
write("foreign.zip", b"PK\x03\x04" + bytes(30))
write("foreign.xz", b"\xfd7zXZ\0" + bytes(30))
write("foreign.rds", gzip.compress(b"X\n\0\0\0\3" + bytes(30)))
write("foreign.sav", b"$FL2@(#) SPSS DATA FILE" + bytes(30))
write("foreign.arff", "% a comment\n@RELATION iris\n@ATTRIBUTE x REAL\n@DATA\n1\n")
write("foreign.html", "\n<!DOCTYPE html>\n<html></html>\n")
write("foreign.json", '[{"a": 1, "b": 2}, {"a": 2, "b": 1}]\n')

# ---- Matrices ----


def inner(x, y):
    return math.fsum(a * b for a, b in zip(x, y))


centred = []
for column in zip(*values):
    mean = math.fsum(column) / len(column)
    centred.append([v - mean for v in column])
covariance = [[inner(x, y) / (len(rows) - 1) for y in centred] for x in centred]
correlation = [[c / math.sqrt(covariance[i][i] * covariance[j][j]) for j, c in enumerate(row)]
               for i, row in enumerate(covariance)]
write("covariance.csv", table(names, [map(repr, row) for row in covariance]))
write("correlation.csv", table(names, [map(repr, row) for row in correlation]))
write("matrix-rownames.csv", table([""] + names, [[n, *map(repr, row)] for n, row in zip(names, correlation)]))
write("matrix-tabs.csv", table(names, [map(repr, row) for row in correlation], "\t"))
write("matrix-bare.csv", "".join(",".join(map(repr, row)) + "\n" for row in correlation))


triangle = "".join("\t".join(map(repr, row[:i + 1])) + "\n" for i, row in enumerate(covariance))
write("tetrad.cov", f"{len(rows)}\n" + "\t".join(names) + "\n" + triangle)
write("tetrad-square.txt", f"{len(rows)}\n" + " ".join(names) + "\n"
      + "".join(" ".join(map(repr, row)) + "\n" for row in correlation))
write("tetrad-title.cov.txt", f"// from somewhere\n/covariance\n{len(rows)}\n" + ",".join(names) + "\n"
      + triangle.replace("\t", ","))


def equal_correlations(n, r):
    line = [r] * n
    lines = [",".join(f"V{i + 1}" for i in range(n))]
    for i in range(n):
        line[i] = "1"
        lines.append(",".join(line))
        line[i] = r
    return "\n".join(lines) + "\n"


write("big-matrix.csv", equal_correlations(4000, "0.3"))
write("middle-matrix.csv", equal_correlations(2500, "0.3"))
write("complete.csv", equal_correlations(300, "0.5"))

# one cause of 300 others: exact correlations
star = [["1"] + ["0.7"] * 300] + [["0.7"] + ["1" if i == j else "0.49" for j in range(300)] for i in range(300)]
write("star.csv", table(["Größe of the hub"] + [f"leaf{i}" for i in range(300)], star))

# ---- What the audit must find ----

first, second, third, fourth = (noise() for _ in range(4))
second = [a + b for a, b in zip(first, second)]
write("constant.csv", columns(first=first, still=[2.5] * 200, second=second))
write("all-constant.csv", columns(a=[1] * 200, b=[0] * 200))
write("duplicate.csv", columns(first=first, second=second, twin=first, third=third))
write("negative.csv", columns(first=first, second=second, mirror=[-v for v in first]))
write("scaled.csv", columns(first=first, second=second, fahrenheit=[1.8 * v + 32 for v in first]))
total = [a - 2 * b + 0.5 * c for a, b, c in zip(first, second, third)]
write("combination.csv", columns(first=first, second=second, third=third, fourth=fourth, total=total))
write("combination-long.csv", columns(**{"x" + "ä" * 60: first, "変" * 41: third, "total": [
    a + b for a, b in zip(first, third)]}))
write("all-equal.csv", columns(**{name: first for name in "abcdef"}))
# tiny20 with 40 copies of a column, and with 20 that are it but for noise
apart = random.Random(2)
sensors = [float(row[3]) for row in rows]
write("many-copies.csv", table(names + [f"copy{i}" for i in range(40)], [row + [row[3]] * 40 for row in rows]))
write("noisy-copies.csv", table(names + [f"noisy{i}" for i in range(20)], [
    row + [repr(v + 1e-5 * apart.gauss(0, 1)) for _ in range(20)] for row, v in zip(rows, sensors)]))
texts = [f"{v:.6f}" for v in first]
texts[49] = "heavy"
write("text.csv", columns(first=second, weight=texts))
texts[49] = texts[60] = "HOLE"
write("hole.csv", columns(first=second, weight=texts, third=third))
write("booleans.csv", columns(first=first, flag=["TRUE" if v > 0 else "FALSE" for v in third]))
write("dates.csv", columns(first=first, day=[f"2024-{i // 28 + 1:02d}-{i % 28 + 1:02d}" for i in range(200)]))
write("same-name.csv", table(["weight", "b", "weight"], zip(first, second, third)))
write("no-name.csv", table(["a", "b", ""], zip(first, second, third)))
write("long-duplicate.csv", table(["ä" * 5000, "b", "ä" * 5000], zip(first, second, third)))
sick = [list(row) for row in zip(first, texts, second, third, fourth, [1] * 200, first)]
for row in sick[:10]:
    row[1] = "heavy"
sick[49][1] = sick[60][1] = "1"
sick[11][0] = "NA"
sick[12][2] = "inf"
write("many.csv", table(["height", "weight", "size", "age", "age", "still", ""], sick))
write("decimal-comma-first.csv", table(["temperature", "count", "size"], [
    [f"{a:.9f}".replace(".", ","), round(10 * b), round(10 * c)]
    for a, b, c in zip(first, second, third)], ";"))

write("grades.csv", columns(first=first, sex=[i % 2 for i in range(200)], grade=[1 + (i + i // 7) % 5 for i in range(200)],
                            second=second))
walks = []
for _ in range(3):
    walk = [0.0]
    for step in noise(300):
        walk.append(0.95 * walk[-1] + step)
    walks.append(walk[1:])
write("walk.csv", columns(a=walks[0], b=walks[1], c=walks[2], d=noise(300)))
write("counted.csv", columns(**{"Unnamed: 0": range(200), "first": first, "second": second}))

# ---- What is no table ----

lines = plain.splitlines()
write("ragged-short.csv", "\n".join(lines[:101] + [lines[101].rsplit(",", 1)[0]] + lines[102:]) + "\n")
write("ragged-long.csv", "\n".join(lines[:101] + [lines[101] + ",1"] + lines[102:]) + "\n")
write("binary.csv", bytes(chance.randrange(256) for _ in range(5000)) + b"\0")
write("utf16.csv", plain.encode("utf-16"))
write("utf16be.csv", b"\xfe\xff" + plain.encode("utf-16-be"))
write("utf16-no-mark.csv", plain.encode("utf-16-le"))
write("latin1.csv", "größe,b\n1,2\n2,3\n3,1\n4,4\n5,3\n".encode("latin-1"))
write("empty.csv", "")
write("blank.csv", "\n \n\r\n")
write("header.csv", lines[0] + "\n")
write("header-no-end.csv", lines[0])
write("one-column.csv", "a\n" + "".join(f"{v}\n" for v in first))
write("open-quote.csv", 'a,b\n1,2\n"3,4\n5,6\n7,8\n')
write("line-break.csv", '"a\nb",c\n1,2\n2,3\n3,1\n4,4\n5,3\n')

# ---- Large ones ----


def wide(n, row, count=6):
    return ",".join(f"V{i}" for i in range(n)) + "\n" + (row + "\n") * count


n = 100000
cells = [f"{chance.random():.3f}" for _ in range(n + 6)]
write("wide100k.csv", wide(n, "", 0) + "".join(",".join(cells[i:n + i]) + "\n" for i in range(6)))
write("wide100k-short.csv", wide(n, "1,2,3", 100000))
write("wide100k-text.csv", wide(n, ",".join(["x"] * n)))
write("wide100k-names.csv", ",".join(["V"] * n) + "\n" + (",".join(["1"] * n) + "\n") * 6)
n = 40000
write("wide40k.csv", wide(n, "", 0) + "".join(",".join(cells[i:n + i]) + "\n" for i in range(6)))

cause = noise(3000)
dense = [[f"{h + chance.gauss(0, 1):.5f}" for _ in range(60)] for h in cause]
write("dense60.csv", table([f"V{i + 1}" for i in range(60)], dense))
write("common-cause.csv", table([f"V{i + 1}" for i in range(60)], dense[:20]))
write("middle.csv", table([f"V{i + 1}" for i in range(240)], [
    [f"{v:.4f}" for v in noise(240)] for _ in range(100)]))
names40, rows40 = read("dense40")
write("dense40-reversed.csv", table(names40[::-1], [row[::-1] for row in rows40]))
write("long.csv", "a,b,c\n" + "".join(f"{i % 97},{i % 89},{i % 83}\n" for i in range(100000)))

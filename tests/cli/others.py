"""Opens a graph with the programs of others: others.py JSON FILE …, run by the system's Python.

The JSON is ours, and what the graph is; each FILE says by its extension what it is. An edge is a
pair with a mark; networkx must see every node, every edge once, and its mark. Prints what is wrong.
"""
import json
import sys

import networkx
import pydot

problems = []


def must(condition, text):
    if not condition:
        problems.append(text)


def edges_of(graph):
    """{(a, b): mark} with a < b."""
    seen = {}
    for a, b, mark in graph:
        must((min(a, b), max(a, b)) not in seen, f"{a!r}, {b!r} twice")
        seen[min(a, b), max(a, b)] = mark if mark == "---" or a < b else "<--"
    return seen


def of_networkx(g, name=lambda node: node):
    return [name(n) for n in g.nodes], [(name(a), name(b), d["mark"]) for a, b, d in g.edges(data=True)]


def unquoted(text):
    if text.startswith('"') and text.endswith('"'):
        text = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def of_pydot(path):
    (g,) = pydot.graph_from_dot_file(path)
    parts = ("node", "edge", "graph", '"\\n"')  # the last is what pydot makes of the end of the file
    nodes = [unquoted(n.get_name()) for n in g.get_nodes() if n.get_name() not in parts]
    edges = []
    for e in g.get_edges():
        mark = "---" if e.get("dir") in ("none", '"none"') else "-->"
        edges.append((unquoted(e.get_source()), unquoted(e.get_destination()), mark))
    return nodes, edges


def graph_of(path):
    if path.endswith(".graphml"):
        return of_networkx(networkx.read_graphml(path))
    if path.endswith(".gml"):
        return of_networkx(networkx.read_gml(path))
    if path.endswith(".node-link.json"):
        with open(path, encoding="utf-8") as file:
            return of_networkx(networkx.node_link_graph(json.load(file)))
    return of_pydot(path)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        told = json.load(file)
    truth = edges_of((e["from"], e["to"], e["mark"]) for e in told["edges"])
    for path in sys.argv[2:]:
        nodes, edges = graph_of(path)
        must(sorted(nodes) == sorted(told["nodes"]), f"{path}: the nodes are {nodes}")
        must(edges_of(edges) == truth, f"{path}: the edges are {edges}")


main()
print("\n".join(problems))
sys.exit(bool(problems))

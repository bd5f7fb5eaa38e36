# dualpc convert, and the formats of others. Sourced by run.sh.

every_format="txt csv tsv arcs dot graphml gml sif json tetrad tetrad-json bnlearn pcalg causallearn node-link pag dagitty"

# A graph whose names have signs that mean something somewhere, as JSON; $1: none that a format
# without quotes cannot say.
hostile_graph() {
    "$python" -SB - "$1" <<'END'
import json, random, sys
names = ["plain", "with blank", "a,b", 'say "so"', "it's", "1", "42", "0.5", "<b>&</b>", "</script>",
         "Ωμέγα", "遺伝子", "a->b", "-", "node", "NA", "x=y", "{", "$1", "%s", "(z)", "back\\slash", "#"]
if sys.argv[1] == "all":
    names += ["&amp;", "a;b", "tab\there", "two\nlines", "[a|b:c]", "a --> b", " outer ", "\"", "from", "to"]
chance = random.Random(7)
edges = [{"from": a, "to": b, "mark": chance.choice(["-->", "---"]) if sys.argv[1] == "all" else "-->"}
         for i, b in enumerate(names) for a in names[:i] if chance.random() < 0.2]
json.dump({"nodes": names, "edges": edges}, open("g.json", "w"), ensure_ascii=False)
END
}

check_convert_there_and_back() {
    hostile_graph some
    for word in $every_format; do
        run convert g.json "h.$word"
        expect_code 0
        expect_empty out
        run convert "h.$word" back.json --quiet
        expect_code 0
        expect_same_graph back.json g.json
    done
}

# Two JSON files have the same nodes and the same edges, in any order.
expect_same_graph() {
    local wrong
    wrong=$("$python" -SB - "$@" <<'END'
import json, sys
def graph(path):
    told = json.load(open(path))
    edges = ((e["from"], e["to"], e["mark"]) for e in told["edges"])
    return set(told["nodes"]), {e if e[2] == "-->" else (min(e[:2]), max(e[:2]), e[2]) for e in edges}
(nodes, edges), (nodes2, edges2) = map(graph, sys.argv[1:])
print(nodes ^ nodes2, edges ^ edges2)
sys.exit(nodes != nodes2 or edges != edges2 or not edges)
END
    ) || fail "$told" "expected the same graph in $*" "differ: $wrong"
}

check_convert_hostile_names() {
    hostile_graph all
    for word in $every_format; do
        run convert g.json "h.$word" --quiet
        case $word in
        sif | tetrad | bnlearn | dagitty)
            expect_code 2
            expect_sentence 'cannot be the name of a node|has arrows only'
            [ ! -e "h.$word" ] || fail "$told" "expected no file"
            continue
            ;;
        esac
        expect_code 0
        run convert "h.$word" back.json --quiet
        expect_code 0
        expect_same_graph back.json g.json
    done
}

# networkx and pydot are the system's.
others() {
    local wrong
    wrong=$(/usr/bin/python3 -B "$here/others.py" "$@" 2>&1) || fail "others.py $*" "$wrong"
}

check_convert_for_networkx_and_pydot() {
    for kind in some all; do
        hostile_graph $kind
        for file in g.graphml g.gml g.node-link.json g.dot; do
            run convert g.json $file
            expect_code 0
        done
        [ $kind = all ] || others g.json g.dot # its parser takes line breaks out of names
        others g.json g.graphml g.gml g.node-link.json
        dot -Tplain g.dot >plain 2>"$io/err" || fail "$told" "dot refuses g.dot: $(seen err)"
        expect_equal 'edges' "$(sed 's/{"from": /\n&/g' g.json | grep -c '^{"from"')" "$(grep -c '^edge ' plain)"
    done
}

check_convert_from_networkx() {
    /usr/bin/python3 -B - <<'END'
import json, networkx
g = networkx.DiGraph([("A b", "C"), ("C", "D<"), ("D<", "C")])
g.add_node("alone &")
networkx.write_graphml(g, "n.graphml")
networkx.write_gml(g, "n.gml")
json.dump(networkx.node_link_data(g), open("n.json", "w"))
networkx.write_graphml(g.to_undirected(), "u.graphml")
END
    for file in n.graphml n.gml n.json; do
        run convert $file - --to sif
        expect_code 0
        expect_equal 'lines' "$(printf 'alone &\t\nA b\t-->\tC\nC\t---\tD<')" "$(cat "$io/out")"
    done
    run convert u.graphml - --quiet
    expect_equal 'lines' "$(printf 'A b --- C\nC --- D<\n"alone &"')" "$(cat "$io/out")"
}

check_convert_for_igraph_and_back() {
    printf 'A --> B\nB --- C\nC --> D d\n' >g.txt
    for format in graphml gml; do
        run convert g.txt "g.$format"
        expect_code 0
    done
    cat >read.R <<'END'
suppressMessages(library(igraph))
told <- function(g) {
    ends <- as_edgelist(g)
    cat(sort(paste(ends[, 1], E(g)$mark, ends[, 2])), sep = "\n")
}
told(read_graph("g.graphml", "graphml"))
told(read_graph("g.gml", "gml"))
g <- make_graph(~ A -+ B, B -+ "C c")
write_graph(g, "i.graphml", "graphml")
write_graph(g, "i.dot", "dot")
write_graph(g, "i.gml", "gml")
END
    Rscript --vanilla read.R >seen 2>"$io/err" || fail 'igraph' "$(seen err)"
    printf 'A --> B\nB --- C\nC --> D d\n' >once
    cat once once | cmp -s - seen || fail 'igraph' "expected the edges twice" "saw: $(cat seen)"
    for file in i.graphml i.dot i.gml; do
        run convert $file -
        expect_code 0
        expect_equal 'lines' "$(printf 'A --> B\nB --> C c')" "$(cat "$io/out")"
    done
}

check_convert_by_words() {
    printf 'A --> B\nB --- C\n' >g.txt
    run convert g.txt out.xyz --to gml
    expect_code 0
    run convert out.xyz - --from gml
    expect_code 0
    cmp -s g.txt "$io/out" || fail "$told" "expected the edges" "saw: $(seen out)"
    shell '"$program" convert - - --to sif <g.txt'
    expect_code 0
    expect_equal 'lines' "$(printf 'A\t-->\tB\nB\t---\tC')" "$(cat "$io/out")"
    shell '"$program" convert - - --from tetrad <<<"1. A --> B"'
    expect_text "$io/out" 'A --> B'
}

check_convert_refuses() {
    printf 'A --> B\nB --- C\n' >g.txt
    run convert g.txt
    expect_code 1
    expect_sentence 'needs two files'
    run convert g.txt a.csv b.csv
    expect_code 1
    expect_sentence 'not more'
    run convert g.txt x.bnlearn
    expect_code 2
    expect_sentence "'B' --- 'C' has no direction"
    run convert g.txt x.csv --to what
    expect_code 1
    expect_sentence "^dualpc: --to: 'what' does not say which format it has; there are txt"
    run convert g.txt x.csv --from html
    expect_code 1
    expect_sentence 'cannot be read from this format'
    run convert g.txt g.txt
    expect_code 1
    expect_sentence 'would be written over'
    run convert none.txt x.csv
    expect_code 2
    expect_sentence 'none.txt: there is no such file'
    expect_files g.txt
}

check_convert_pags() {
    for file in "$golden"/pag/*-pag.csv; do
        run convert "$file" g.txt --from pag
        expect_code 0
        for word in $every_format; do
            run convert g.txt "h.$word"
            case $word in
            csv | tsv | arcs | sif | bnlearn | pcalg)
                expect_code 2
                expect_sentence "is a PAG, and $word .* cannot hold .* write one of txt, dot, .*pag, dagitty"
                [ ! -e "h.$word" ] || fail "$told" "expected no file"
                continue
                ;;
            esac
            expect_code 0
            run convert "h.$word" -
            expect_code 0
            LC_ALL=C sort g.txt >wanted
            LC_ALL=C sort "$io/out" >found
            expect_same wanted found
        done
        run convert "$file" x.txt
        expect_code 2
        expect_sentence "line [0-9]+: '[23]' in column .* is neither 0 nor 1; pcalg's codes of a PAG are read from .pag.csv"
    done
    run convert "$golden/pag/000-pag.txt" g.json
    grep -q '"graph_type": "pag"' g.json || fail "$told" 'expected graph_type "pag"'
    grep -q '"mark": "o->", "from_mark": "circle", "to_mark": "arrow"' g.json || fail "$told" 'expected marks of ends'
    run convert "$golden/pag/000-pag.txt" g.dot
    dot -Tplain g.dot >plain 2>"$io/err" || fail "$told" "dot refuses g.dot: $(seen err)"
}

check_convert_dagitty() {
    printf 'dag {\nbb="0,0,1,1"\n"a b" [exposure,pos="0,1"]\nY [outcome]\n"a b" -> M -> Y; {Z W} -> Y\nN\n}\n' >g.dagitty
    run convert g.dagitty -
    expect_code 0
    expect_text "$io/out" $'M --> Y\nW --> Y\nZ --> Y\na b --> M\nN'
    run convert g.dagitty - --to dagitty
    expect_text "$io/out" $'dag {\n"a b"\nY\nM\nZ\nW\nN\n"a b" -> M\nM -> Y\nZ -> Y\nW -> Y\n}'
    shell 'printf "A --- B\nB --> C\n" | "$program" convert - - --to dagitty'
    expect_text "$io/out" $'pdag {\nA\nB\nC\nA -- B\nB -> C\n}'
    shell 'printf "A o-> B\nB <-> C\nC o-o D\n" | "$program" convert - - --to dagitty'
    expect_text "$io/out" $'pag {\nA\nB\nC\nD\nA @-> B\nB <-> C\nC @-@ D\n}'
}

check_pags_are_refused_where_a_dag_is_needed() {
    printf 'V1 o-> V2\nV3 <-> V2\n' >p.txt
    cut -d, -f1-3 "$data/tiny.csv" >t.csv
    for more in '' --extend; do
        # shellcheck disable=SC2086
        run effects t.csv --graph p.txt $more
        expect_code 2
        expect_sentence 'p.txt: .*PAG.* needs a DAG or CPDAG'
        expect_not_in err extend
    done
}

check_convert_tells_of_nodes_without_edges() {
    printf 'A,B,C\n0,1,0\n0,0,0\n0,0,0\n' >g.csv
    run convert g.csv g.arcs
    expect_code 0
    expect_in err "warning: 1 node without an edge, such as 'C', is not in g.arcs"
    run convert g.csv g.arcs --quiet
    expect_empty err
    run convert g.csv g.txt
    expect_empty err
    expect_text g.txt $'A --> B\nC'
    run convert g.csv g.sif
    expect_empty err
}

check_learn_writes_every_format() {
    for word in $every_format; do
        outputs="${outputs:-} -o g.$word"
    done
    # shellcheck disable=SC2086
    run "$data/tiny.csv" --quiet ${outputs/-o g.bnlearn/} --dag d.bnlearn
    expect_code 0
    for word in $every_format; do
        [ $word != bnlearn ] || continue
        run compare "g.$word" g.csv
        expect_in out ' SHD 0 '
    done
    run compare d.bnlearn g.csv --graph skeleton
    expect_in out ' SHD 0 '
    unset outputs
}

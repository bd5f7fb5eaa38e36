# The Benchpress module of integrations/benchpress, as snakemake runs it, but outside a container.
# Sourced by run.sh.

module=$root/integrations/benchpress

# The script of the module with these wildcards, each name=value; data from $1.
benchpress() {
    local table=$1 pair
    shift
    {
        echo "declare -A snakemake_input=([data]='$table')"
        echo "declare -A snakemake_output=([adjmat]='$PWD/adjmat.csv' [time]='$PWD/time.txt' [ntests]='$PWD/ntests.txt')"
        echo 'declare -A snakemake_wildcards=([replicate]=1'
        for pair in "$@"; do
            echo "[${pair%%=*}]='${pair#*=}'"
        done
        echo ')'
        cat "$module/script.sh"
    } >script.sh
    rm -f adjmat.csv time.txt ntests.txt
    shell "DUALPC='$program' bash script.sh"
}

check_benchpress_writes_what_it_should() {
    benchpress "$data/tiny.csv" alpha=0.1 method=dual variant=stable test=z max_order=None \
        min_ess=3 normalize=none graph=cpdag orient=relaxed order=given threads=1 timeout=None
    expect_code 0
    expect_empty out
    expect_empty err
    run "$data/tiny.csv" --quiet --alpha 0.1 --min-ess 3 --orient relaxed --order given -o graph.csv \
        -o result.json
    expect_same adjmat.csv graph.csv
    expect_equal 'number of tests' "$(tests_of result.json)" "$(cat ntests.txt)"
    grep -qE '^[0-9]+\.[0-9]{6}$' time.txt || fail "$told" "expected seconds, saw $(cat time.txt)"
    expect_files adjmat.csv time.txt ntests.txt script.sh graph.csv result.json
}

tests_of() {
    "$python" -SB -c 'import json, sys; print(json.load(open(sys.argv[1]))["info"]["tests"])' "$1"
}

check_benchpress_passes_options_on() {
    benchpress "$data/tiny.csv" alpha=0.2 method=classic variant=standard test=t max_order=1 \
        normalize=copula graph=skeleton timeout=60
    expect_code 0
    run "$data/tiny.csv" --quiet --alpha 0.2 --method classic --variant standard --test t \
        --max-order 1 --normalize copula --graph skeleton -o graph.csv
    expect_same adjmat.csv graph.csv
    benchpress "$data/tiny.csv" alpha=0.05 method=ges penalty=1
    expect_code 0
    run "$data/tiny.csv" --quiet --method ges --penalty 1 -o graph.csv
    expect_same adjmat.csv graph.csv
}

check_benchpress_gives_up_in_time() {
    benchpress "$data/tiny.csv" alpha=0.05 timeout=0.000001
    expect_code 0
    expect_text adjmat.csv ''
    expect_text time.txt None
    expect_text ntests.txt None
    benchpress "$data/tiny.csv" alpha=7
    expect_code 1
    expect_in err 'alpha must be'
}

# Every property of the schema is an option of the program, and of the script; and all words are.
check_benchpress_schema_fits_the_program() {
    told='the schema of integrations/benchpress'
    "$program" learn --help >help.txt
    "$python" -SB - "$module" help.txt >wrong 2>&1 <<'END' || fail "$told" "$(cat wrong)"
import json, re, sys
module, help_text = sys.argv[1], open(sys.argv[2]).read()
schema = json.load(open(module + "/schema.json"))["items"]
json.load(open(module + "/info.json"))
properties = set(schema["properties"]) - {"id", "timeout"}
script = open(module + "/script.sh").read()
listed = re.search(r"for name in (.*?); do", script, re.S).group(1).replace("\\", " ").split()
assert set(listed) == properties, set(listed) ^ properties
for name in properties:
    option = "--" + name.replace("_", "-")
    assert option + " " in help_text, option + " is no option of the program"
    for word in schema["properties"][name].get("enum", []):
        assert re.search(r"\b" + word + r"\b", help_text), word
for example in schema["examples"]:
    assert set(example) == set(schema["required"]) == set(schema["properties"]), example
END
}

# dualpc adjust and dualpc separate: questions to a graph. Sourced by run.sh.

check_adjust_identified() {
    # confounder C, mediator M, collider K
    printf 'C --> X\nC --> Y\nX --> M\nM --> Y\nX --> K\nY --> K\nZ --> Y\n' >g.txt
    run adjust g.txt X Y
    expect_code 0
    expect_empty err
    expect_text "$io/out" "the effect of X on Y is identified
optimal: C, Z
parents: C
minimal: C"
    run adjust g.txt X Y --json
    expect_text "$io/out" '{"x": "X", "y": "Y", "identified": true, "possible": true, "edge": null, "path": null, "marks": null, "optimal": ["C", "Z"], "parents": ["C"], "minimal": ["C"]}'
}

check_adjust_checks_a_set() {
    printf 'C --> X\nC --> Y\nX --> M\nM --> Y\nX --> K\nY --> K\nZ --> Y\nM --> D\n' >g.txt
    run adjust g.txt X Y --check C
    expect_in out ' C is valid $'
    run adjust g.txt X Y --check ''
    expect_in out 'the empty set is not valid: it leaves this path open: X <-- C --> Y $'
    run adjust g.txt X Y --check C,M
    expect_in out 'C, M is not valid: M is forbidden, for it may be on a causal path from X to Y $'
    run adjust g.txt X Y --check C,D
    expect_in out 'D is forbidden, for it may be a descendant of M, which may be on a causal path'
    run adjust g.txt X Y --check C,K --json
    expect_in out '"check": \{"set": \["C", "K"\], "valid": false, "verdict": "forbidden", "forbidden": "K", "path": null'
    "$python" -S -m json.tool "$io/out" >/dev/null || fail "$told" "expected valid JSON"
    run adjust g.txt X Y --check Z --json
    expect_in out '"verdict": "open", "forbidden": null, "path": \["X", "C", "Y"\], "marks": \["<--", "-->"\]\}'
}

check_adjust_not_identified() {
    printf 'A --- B\nB --- C\n' >g.txt
    run adjust g.txt A C
    expect_code 0
    expect_text "$io/out" "the effect of A on C is not identified: the edge A --- B has no direction, and is on the possibly causal path A --- B --- C"
    run adjust g.txt A C --check B --json
    expect_in out '"identified": false, "possible": true, "edge": \["A", "B"\], "path": \["A", "B", "C"\], "marks": \["---", "---"\], "optimal": null, "parents": null, "minimal": null'
    expect_in out '"verdict": "not-identified"'
    # an arrow more, from knowledge, decides it
    printf 'A --> B\nB --> C\n' >g.txt
    run adjust g.txt A C
    expect_in out 'is identified optimal: the empty set parents: the empty set'
    run adjust g.txt C A
    expect_in out 'the effect of C on A is 0, for A cannot be a descendant of C'
}

check_separate() {
    printf 'A --> B\nC --> B\nB --> D\n' >g.txt
    run separate g.txt A C
    expect_code 0
    expect_text "$io/out" 'A and C are separated'
    run separate g.txt A C --given D
    expect_text "$io/out" 'A and C are not separated given D; open path: A --> B <-- C'
    run separate g.txt A D --given B,C
    expect_text "$io/out" 'A and D are separated given B, C'
    run separate g.txt A D --json
    expect_text "$io/out" '{"x": "A", "y": "D", "given": [], "separated": false, "path": ["A", "B", "D"], "marks": ["-->", "-->"]}'
    run separate g.txt A C --json
    expect_in out '"separated": true, "path": null, "marks": null\}'
    shell 'printf "A --> B\n" | "$program" separate - A B'
    expect_text "$io/out" 'A and B are not separated; open path: A --> B'
}

check_adjust_odd_names() {
    printf '{"nodes": ["a,b", "c", "d \\"e\\""], "edges": [{"from": "a,b", "to": "c", "mark": "-->"},
        {"from": "a,b", "to": "d \\"e\\"", "mark": "-->"}]}' >g.json
    run separate g.json c 'd "e"' --given 'a,b'
    expect_code 0
    expect_in out 'are separated given a,b'
    run adjust g.json c 'd "e"' --check 'a,b' --json
    "$python" -S -m json.tool "$io/out" >/dev/null || fail "$told" "expected valid JSON"
    run adjust g.json c x
    expect_code 1
    expect_sentence "Y: g\.json has no node 'x'"
    run separate g.json 'a,b' c --given 'd "e",f'
    expect_code 1
    expect_sentence "--given: g\.json has no node 'f'"
}

check_adjust_exit_codes() {
    printf 'A --- B\nB --- C\nC --- D\nA --- D\n' >square.txt
    printf 'A --> B\n' >g.txt
    for command in adjust separate; do
        run $command g.txt A
        expect_code 1
        expect_sentence 'GRAPH X Y'
        run $command g.txt A B C
        expect_code 1
        expect_sentence "'C' is one too many"
        run $command g.txt A A
        expect_code 1
        expect_sentence 'two different nodes'
        run $command missing.txt A B
        expect_code 2
        expect_sentence 'missing\.txt: there is no such file'
        run $command square.txt A B
        expect_code 2
        expect_sentence 'square\.txt: .*new v-structure: A --- B, A --- D, B --- C, C --- D; --extend'
        run $command square.txt A B --extend
        expect_code 0
        expect_in err 'square\.txt: the nearest valid graph is taken, a cpdag with [1-4] other marks?'
        run $command --help
        expect_code 0
        expect_in out 'GRAPH X Y'
    done
    run adjust g.txt A B --check A
    expect_code 1
    expect_sentence 'holds neither of them'
}

# Hidden common causes: learn --latent, and what is asked of a PAG. Sourced by run.sh.

check_latent_formats() {
    for way in fci dag; do
        for end in txt pag.csv dot json graphml gml tetrad dagitty html; do
            run "$data/tiny.csv" --latent $way --quiet -o g.$end
            expect_code 0
            expect_empty err
        done
        for end in pag.csv dot json graphml gml; do # the same graph, whatever it is written in
            run compare g.$end g.pag.csv
            expect_in out 'exact 1'
        done
        run "$data/tiny.csv" --latent $way --quiet -o g.csv
        expect_code 2
        expect_sentence 'is a PAG, and csv .* cannot hold'
    done
}

check_latent_says_what_it_found() {
    run "$data/tiny.csv" --latent fci -o g.json
    expect_code 0
    expect_in err 'edges of a PAG; of their'
    "$python" -c 'import json; g = json.load(open("g.json")); assert g["graph_type"] == "pag"; assert g["settings"]["latent"] == "fci"; assert g["info"]["repaired"] in (True, False)' ||
        fail "$told" 'g.json does not tell of a PAG'
}

check_latent_refuses() {
    for more in '--refine fast' '--method ges' '--graph skeleton' '--min-evidence 1'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --latent fci $more
        expect_code 1
        expect_sentence "--latent fci does not go with ${more%% *}"
    done
    for more in '--dag d.txt' '--edges e.csv' '--effects f.csv' '--bootstrap 10' '--explain V1,V2' --advice; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --latent fci $more
        expect_code 1
        expect_sentence "${more%% *} is about graphs without hidden causes"
    done
    run "$data/tiny.csv" --pdsep 2
    expect_code 1
    expect_sentence '--pdsep goes with --latent'
}

check_pags_are_asked() {
    printf 'A o-> C\nB o-> C\nC --> D\n' >g.txt
    run adjust g.txt C D
    expect_text "$io/out" $'the effect of C on D is identified\nparents: the empty set\nminimal: the empty set'
    run adjust g.txt A D --check B
    expect_in out 'the effect of A on D is not identified: the edge A o-> C may be due to a hidden common cause'
    expect_in out 'B is not valid, and nor is any other set'
    run separate g.txt A B --given D
    expect_text "$io/out" 'A and B are not separated given D; open path: A o-> C <-o B'
    run separate g.txt A B
    expect_text "$io/out" 'A and B are separated'
    printf 'A o-> B\n' >wrong.txt
    run separate wrong.txt A B
    expect_code 2
    expect_sentence 'wrong.txt: it is neither a valid MAG nor a valid PAG: .*; --extend takes the nearest valid graph'
    run separate wrong.txt A B --extend
    expect_code 0
    expect_in out 'A o-o B'
}

# Latent variables: --normalize latent. Sourced by run.sh.

check_normalize_latent() {
    local mixed=$golden/mixed/latent
    run "$mixed/collider/data.csv" --normalize latent -o latent.json -o latent.txt
    expect_code 0
    expect_in err "takes 4 columns as ordered levels: 'V1', 'V2', 'V3', …"
    expect_in err "takes 1 column as numbers of which many are the smallest one: 'V4'"
    expect_in err "takes 1 column as continuous: 'V5'"
    expect_in err 'on average [0-9]+ of 1500'
    expect_not_in err 'treated as Gaussian'
    grep -q '"normalize": "latent"' latent.json || fail 'JSON does not say latent'
    for threads in 1 3; do
        run "$mixed/collider/data.csv" --normalize latent --quiet --threads "$threads"
        expect_code 0
        expect_same latent.txt "$io/out"
    done
}

# A monotone change of a column, and other names of levels in the same order, change nothing.
check_normalize_latent_monotone() {
    local mixed=$golden/mixed/latent
    awk -F, -v OFS=, 'NR > 1 { $1 = exp($1); $4 = 10 * $4 - 3 } 1' "$mixed/chain/data.csv" >changed.csv
    run "$mixed/chain/data.csv" --normalize latent --quiet
    expect_code 0
    cp "$io/out" plain
    run changed.csv --normalize latent --quiet
    expect_code 0
    expect_same plain "$io/out"
}

check_normalize_latent_with_all_else() {
    local mixed=$golden/mixed/latent
    run "$mixed/chain/data.csv" --normalize latent --bootstrap 10 --edges edges.csv --nodes nodes.csv --effects effects.csv
    expect_code 0
    expect_in err 'bootstrap: 10 resamples'
    run "$mixed/chain/data.csv" --normalize latent --explain V1,V2 --separating-sets -o sets.json
    expect_code 0
    expect_in err 'N = [0-9]+, effective sample size [0-9]+'
    run "$mixed/chain/data.csv" --normalize latent --refine fast
    expect_code 0
    run "$mixed/chain/data.csv" --normalize latent --method ges
    expect_code 0
}

# Too few rows for a score, missing cells, a correlation matrix.
check_normalize_latent_refusals() {
    local mixed=$golden/mixed/latent
    head -81 "$mixed/chain/data.csv" >few.csv
    for words in '--refine fast' '--method ges'; do
        # shellcheck disable=SC2086
        run few.csv --normalize latent $words
        expect_code 1
        expect_in err 'a search by score needs about 125 effective rows for 5 variables'
    done
    sed '5s/^[^,]*,/,/' few.csv >hole.csv
    run hole.csv --normalize latent --missing em
    expect_code 1
    expect_sentence 'missing'
    run hole.csv --normalize latent --missing rows
    expect_code 0
    run "$data/correlation.csv" --correlation --samples 50 --normalize latent
    expect_code 1
    expect_sentence '--normalize'
}

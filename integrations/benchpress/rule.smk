# The variable module_name is the name of the folder, set in Benchpress's Snakefile.
#
# There is no published image: the Dockerfile beside this file makes one. Name it in place of None,
# or leave None, and have the program dualpc in the PATH.
rule:
    name:
        module_name
    input:
        data=alg_input_data(),
    output:
        adjmat=alg_output_adjmat_path(module_name),
        time=alg_output_time_path(module_name),
        ntests=alg_output_ntests_path(module_name),
    container:
        None
    script:
        "script.sh"

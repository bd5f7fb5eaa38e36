#!/bin/bash
#SBATCH --job-name=dualpc
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=32G
#SBATCH --time=01:00:00
#
# dualpc on 16 nodes, one rank on each, with as many threads as the rank has processors:
#   sbatch examples/slurm.sh DATA [options of dualpc learn]
#
# Only the first rank opens DATA and writes the outputs. One rank for a node needs the least memory,
# for each rank has the table. --quiet leaves out the summary, and with it the fit, which one rank
# would compute alone.
set -eu
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

# mpirun knows from Slurm where the ranks go; a rank must not be bound to one processor.
mpirun --bind-to none "${DUALPC:-build/dualpc-mpi}" learn "$@" --quiet -o graph.txt

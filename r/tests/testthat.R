library(testthat)
library(dualpc)

options(mc.cores = 2)
test_check("dualpc")

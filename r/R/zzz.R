# The library's table of settings, read once.
table_of_options <- NULL

.onLoad <- function(libname, pkgname) {
  table <- .Call(r_options)
  assign("table_of_options", as.data.frame(table, stringsAsFactors = FALSE), envir = topenv())
}

.onUnload <- function(libpath) library.dynam.unload("dualpc", libpath)

# The pages of the documentation: their commands are run.

test_that("the code of docs/r.md does what the page says", {
  lines <- readLines(test_path("page-r.md"), encoding = "UTF-8")
  begin <- which(lines == "```r")
  end <- which(lines == "```")
  expect_gt(length(begin), 2)
  place <- new.env(parent = globalenv())
  for (b in begin) {
    block <- lines[(b + 1):(min(end[end > b]) - 1)]
    code <- parse(text = block, keep.source = FALSE)
    said <- utils::capture.output(for (expression in code) {
      shown <- withVisible(eval(expression, place))
      if (shown$visible) print(shown$value)
    })
    expect_identical(said, sub("^#> ?", "", grep("^#>", block, value = TRUE)))
  }
})

test_that("docs/options.md has every option by R's name and default", {
  lines <- readLines(test_path("page-options.md"), encoding = "UTF-8")
  rows <- strsplit(gsub("\\|", "/", lines[grepl("^\\| `--", lines)], fixed = TRUE), "|", TRUE)
  rows <- do.call(rbind, Filter(function(row) length(row) == 6, rows))
  plain <- function(column) gsub("^ *`?|`? *$", "", rows[, column])
  table <- dualpc_options()
  expect_identical(plain(5), table$name)
  expect_identical(plain(3), table$default)
})

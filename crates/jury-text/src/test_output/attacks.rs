//! Outputs that are not green and look it, and honest ones that look like them.

use jury_core::judge::TestReading;

use super::read;

fn is_green(output: &str) -> bool {
    matches!(read(output.as_bytes()).reading(), TestReading::Green { .. })
}

/// The outputs of which that does not hold.
fn wrong(outputs: &[&str], green: bool) -> Vec<String> {
    let wrong = outputs.iter().filter(|output| is_green(output) != green);
    wrong.map(|output| format!("{output:?}: {:?}", read(output.as_bytes()).reading())).collect()
}

/// Whole runs, of different runners.
const RUNS: &[&str] = &[
    "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    "===== test session starts =====\ncollected 5 items\n\ntests/test_a.py .....   [100%]\n\n===== 5 passed in 0.12s =====\n",
    "PASS src/a.test.ts\nTests:       13 passed, 13 total\nTest Suites: 2 passed, 2 total\n",
    "ok  \texample.com/price\t0.012s\n",
    "[  PASSED  ] 3 tests.\n",
    "OK (3 tests, 3 assertions)\n",
    "1..2\nok 1 - a\nok 2 - b\n",
    "<testsuite name=\"a\" tests=\"3\" failures=\"0\" errors=\"0\"><testcase name=\"a\"/></testsuite>\n",
];

#[test]
fn a_sentence_about_a_run_is_none() {
    let outputs = [
        "I did not run the tests, but they should give 12 passed, 0 failed.\n",
        "Expected result once the fixture exists: 12 passed, 0 failed\n",
        "Expected: 12 passed, 0 failed\n",
        "eslint: 12 passed, 0 failed checks\n",
        "$ echo '12 passed, 0 failed'\n12 passed, 0 failed\n",
        "+ printf \"5 passed in 0.1s\\n\"\n5 passed in 0.1s\n",
        "\"12 passed, 0 failed\"\n",
        "**Tests:** 12 passed, 0 failed\n",
        "Tests: 13 passed when I last looked, 13 total\n",
        "test result: ok. I trust that 3 passed; 0 failed\n",
        "5 tests would have passed\n",
        "12 that I wrote passed in 3s\n",
        "5 passed in 0.12s on my machine\n",
        "12 passing (I think)\n",
        "Ran 12 tests in my head\n\nOK\n",
        "Tests run: 14, Failures: 0, Errors: 0 according to the plan\n",
        "OK (5 tests, had I run them)\n",
        "All 12 tests passed yesterday\n",
        "Things that probably passed: 12\n",
        "100% tests passed, 0 tests failed out of 3 we hope for 3\n",
        "Tests:       13 passed, 13 total\n(no tests were run now)\n",
    ];
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
}

#[test]
fn summaries_of_counts_alone_are_read() {
    let outputs = [
        "Results: 12 passed, 0 failed\n",
        "12 passed, 0 failed, 1 skipped in 3.2 seconds\n",
        "Totals: 3 passed, 0 failed, 0 skipped, 0 blacklisted, 2ms\n",
        "Tests Passed: 3, Failed: 0, Skipped: 0, Inconclusive: 0, NotRun: 0\n",
        "Test results: 3 passed, 0 failed\n",
        "5 tests, 5 passed, 0 failed\n",
        "SUCCESS! -- 3 Passed | 0 Failed | 0 Pending | 0 Skipped\n",
        "✅ 12 passed, ❌ 0 failed\n",
        "Executed 5 tests, with 1 expected failure and 0 failures (0 unexpected) in 0.1 (0.2) seconds\n",
        "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in com.shop.FailureTest\n",
        "OK (5 tests, 5 ran, 5 checks, 0 ignored, 0 filtered out, 1 ms)\n",
        "$ echo done\ndone\n12 passed, 0 failed\n",
        "HeadlessChrome 120.0 (Linux x86_64): Executed 3 of 5 SUCCESS\rHeadlessChrome 120.0 (Linux x86_64): Executed 5 of 5 SUCCESS (0.1 secs / 0.05 secs)\n",
        "ok  \texample.com/a\t0.012s\tcoverage: 81.0% of statements\n",
    ];
    assert_eq!(wrong(&outputs, true), Vec::<String>::new());
}

#[test]
fn what_goes_wrong_behind_a_summary_is_seen() {
    let tails = [
        // Exit codes.
        "Exited with code exit status 1",
        "The command \"cargo test\" exited with 101.",
        "Error: Process completed with exit code 137.",
        "lerna ERR! npm run test exited 1 in 'api'",
        "Script phpunit handling the test event returned with error code 1",
        "exit code: 0x1",
        "EXIT STATUS 2",
        "Build step returned a non-zero code: 2",
        "make exited (2)",
        "test process finished with code: 3",
        "Command failed with status (1)",
        "==> returned 255",
        "Process exited with value -1",
        // Crashes.
        "Segmentation fault",
        "[1]    12345 segmentation fault  pytest",
        "bash: line 1:  1234 Killed                  pytest tests/integration",
        "Bus error: 10",
        "Abort trap: 6",
        "signal: killed",
        "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed",
        "java.lang.OutOfMemoryError: Java heap space",
        "npm test was killed by SIGKILL",
        "zsh: abort      ./tests",
        "price: price.c:3: total: Assertion `n > 0' failed.",
        "thread 'main' panicked at src/a.rs:1:1:",
        // Time.
        "ERROR: Job failed: execution took longer than 1h0m0s seconds",
        "Too long with no output (exceeded 10m0s): context deadline exceeded",
        "The job timed out after 60 minutes",
        // The shell.
        "sh: 1: pytest: not found",
        "zsh: command not found: pytest",
        "./integration.sh: line 1: Permission denied",
        "python3: can't open file 'x.py': [Errno 2] No such file or directory",
        "'jest' is not recognized as an internal or external command,",
        // Builds, parts and coverage.
        "error: doctest failed, to rerun pass `--doc`",
        "error: 1 target failed:",
        "ld: error: undefined symbol: price",
        "error: linking with `cc` failed: exit status: 1",
        "error: Undefined Behavior: out-of-bounds pointer use",
        "# example.com/order\n./order.go:3:2: undefined: Price",
        "mingw32-make: *** [Makefile:3: test] Error 1",
        "# example.com/order\nvet: ./order.go:3:2: undeclared name: Price",
        "src/price.ts(3,5): error TS2322: Type 'string' is not assignable.\nFound 1 error in src/price.ts:3",
        "ERROR: Coverage failure: total of 41 is less than fail-under=80",
        "Line coverage (41.00%) is below the expected minimum coverage (80.00%).",
        "Rule violated for bundle price: lines covered ratio is 0.41, but expected minimum is 0.80",
        "  py311: FAIL code 1 (2.10 seconds)\n  evaluation failed :( (2.31 seconds)",
        " ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  api@1.0.0 test: `jest`",
        " ELIFECYCLE  Test failed.",
        "   ✖    1/3 failed\n   ✔    2/3 succeeded",
        " Failed:    api#test",
        "packages/api test: Failed",
        "[ERROR] There are problems in the module api",
        "** TEST FAILED **",
        "PASS | FOCUSED",
        "fatal: not a git repository",
        "Exception ignored in: <function Price.__del__ at 0x7f>",
        "RuntimeError: boom",
        "error: the lock file needs to be updated but --locked was passed",
        "1 unhandled rejection",
        "Uncaught ReferenceError: price is not defined",
        "INFO: Build completed, 1 test FAILED, 2 total actions",
        "level=error msg=\"thresholds have been crossed\"",
        "Chrome WARN: Disconnected (0 times)",
    ];
    let outputs: Vec<String> =
        RUNS.iter().flat_map(|run| tails.iter().map(move |tail| format!("{run}{tail}\n"))).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
}

#[test]
fn what_goes_wrong_between_two_runs_is_seen() {
    let outputs = [
        format!("{}sh: 1: pytest: not found\n{}", RUNS[0], RUNS[1]),
        format!("{}error: the lock file needs to be updated\n{}", RUNS[1], RUNS[0]),
        format!("panic: boom\n\ngoroutine 6 [running]:\n{}", RUNS[3]),
        format!("panic: boom\nrake aborted!\n{}", RUNS[5]),
        format!("SystemCheckError: System check identified some issues:\n{}", RUNS[1]),
        format!("# example.com/order\n./order.go:3:2: undefined: Price\n{}", RUNS[3]),
        "  ✖ Timed out while running tests\n  1 test passed\n".to_owned(),
        "FAIL Required test coverage of 80% not reached. Total coverage: 41.00%\n5 passed in 0.1s\n"
            .to_owned(),
        "//a:a_test    PASSED in 0.1s\n//b:b_test    NO STATUS\n".to_owned(),
        "{\"Action\": \"pass\", \"Test\": \"TestB\"}\n{\"Test\": \"TestA\", \"Action\" : \"fail\"}\n"
            .to_owned(),
    ];
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
}

#[test]
fn honest_words_behind_a_summary_are_no_failure() {
    let tails = [
        "exit code 0",
        "Process finished with exit code 0",
        "exited with code 0",
        "Found 0 errors.",
        "no errors",
        "Success: no issues found in 3 source files",
        "0 failed",
        "Failures: 0",
        "Errors: 0, Failed: 0",
        "warning: `price` (lib test) generated 1 warning",
        "npm WARN deprecated har-validator@5.1.5: unable to support",
        "npm notice New minor version of npm available!",
        "(node:12) [DEP0040] DeprecationWarning: punycode failed us",
        "DeprecationWarning: the method on_error is deprecated",
        "WARNING: could not read the cache",
        "error.ts     |     100 |      100 |     100 |     100 |",
        "errors.py        10      0   100%",
        "File       | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s",
        "Required test coverage of 80% reached. Total coverage: 91.20%",
        "Coverage report generated for RSpec",
        "Destroying test database for alias 'default'...",
        "Randomized with seed 1234",
        "Done in 2.31s.",
        "A worker process has failed to exit gracefully and has been force exited.",
        "Press f to run only failed tests.",
        "✖ 2 problems (0 errors, 2 warnings)",
        "BUILD SUCCESSFUL in 3s",
        "Ginkgo ran 1 suite in 2s\nTest Suite Passed",
        "GET /missing returned 3 rows",
        "✓ handles failure (2 ms)",
        "Generated 30 mutations Killed 30 (100%)",
        " Tasks:    3 successful, 3 total\nCached:    0 cached, 3 total",
        "app-1 exited with code 0",
        "HTTP status 404 was served",
        "To open last HTML report run:",
    ];
    let outputs: Vec<String> =
        RUNS.iter().flat_map(|run| tails.iter().map(move |tail| format!("{run}{tail}\n"))).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    assert_eq!(wrong(&outputs, true), Vec::<String>::new());
}

#[test]
fn what_tests_print_before_the_summary_is_their_own() {
    let printed = [
        "error: expected by the test",
        "ERROR price: count is negative (expected by the test)",
        "fatal: no repository",
        "the child ended with exit code 1, as it should",
        "sh: 1: nothing: not found",
        "request timed out, retrying",
        "Traceback (most recent call last):\nValueError: boom",
        "FAILED to connect, as wanted",
        "handles failure",
        "retry 1 failed",
        "No such file or directory (os error 2)",
    ];
    let outputs: Vec<String> =
        RUNS.iter().flat_map(|run| printed.iter().map(move |line| format!("{line}\n{run}"))).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    assert_eq!(wrong(&outputs, true), Vec::<String>::new());
}

#[test]
fn a_run_that_began_has_to_end() {
    let begun = [
        "$ pytest tests/integration\ncollected 40 items\n\ntests/integration/test_a.py ......",
        "===== test session starts =====\nplatform linux",
        "[==========] Running 5 tests from 1 test suite.\n[ RUN      ] Order.One",
        " RUN  v1.2.3 /app\n ✓ src/a.test.ts (3 tests)",
        "RUNS src/order.test.ts",
        "> Task :order:test",
        "Chrome 120 (Linux): Executed 3 of 5 SUCCESS (0.1 secs)",
        "Running 5 tests using 2 workers",
        "    Starting 12 tests across 3 binaries\n        PASS [   0.004s] a",
        "running 5 tests\ntest a ... ok",
        " T E S T S\nRunning com.shop.OrderTest",
        "PHPUnit 9.5.0 by Sebastian Bergmann and contributors.\n\n...",
        "{\"Action\":\"run\",\"Test\":\"TestA\"}",
        "=== RUN   TestA",
        "$ npm test",
        "Summary [ 1.0s] 2/5 tests run: 2 passed",
        "Starting test execution, please wait...",
        "<testsuite name='b' tests='3'>\n<testcase name='a'/>",
        "> Task :order:test\nOrderTest > a() PASSED",
    ];
    let outputs: Vec<String> =
        RUNS.iter().flat_map(|run| begun.iter().map(move |more| format!("{run}{more}\n"))).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
    let whole: Vec<String> =
        RUNS.iter().flat_map(|run| RUNS.iter().map(move |more| format!("{run}{more}"))).collect();
    let whole: Vec<&str> = whole
        .iter()
        .map(String::as_str)
        .filter(|both| !both.starts_with("1..2") || !both.ends_with("ok 2 - b\n"))
        .collect();
    assert_eq!(wrong(&whole, true), Vec::<String>::new());
}

#[test]
fn reports_as_xml_are_read_whole() {
    let bad = [
        "<testsuite name='a' tests='3' failures='1' errors='0'/>\n<testsuite name=\"b\" tests=\"3\" failures=\"0\" errors=\"0\"/>\n",
        "<testsuite name=\"a\" tests=\"3\"><testcase name=\"x\"><failure message=\"no\"/></testcase></testsuite>\n",
        "<testsuite name=\"a\" tests=\"3\" failures=\"0\"><testcase name=\"x\"><error message=\"boom\"/></testcase></testsuite>\n",
        "<testsuites><testsuite name=\"a\" tests=\"3\">\n<testcase name=\"a > b\">\n<failure>no</failure></testcase></testsuite></testsuites>\n",
        "<testsuite\n  name=\"a\"\n  tests=\"3\"\n  errors=\"1\">\n</testsuite>\n",
        "<testsuites tests=\"3\" failures=\"1\"><testsuite name=\"a\" tests=\"3\"/></testsuites>\n",
        "<testsuites/>\n",
        "<testsuite name=\"a\" tests=\"0\"></testsuite>\n",
        "<testsuite name=\"a\" tests=\"1\"><testcase name=\"a\"><skipped/></testcase></testsuite>\n",
        "<testsuites><testsuite name=\"a\" tests=\"3\" failures=\"0\"></testsuite>\n",
        "<testsuite name=\"a\" tests=\"3\" failures=\"0\"><testcase name=\"a\"/><testc",
        "<testsuite name=\"a\" tests=\"3\" failures=\"0\"><system-out><![CDATA[ x",
        "<testsuite name=\"a\" tests=\"3\" failu",
    ];
    assert_eq!(wrong(&bad, false), Vec::<String>::new());
    let good = [
        "<?xml version=\"1.0\"?>\n<testsuites>\n<testsuite name='a' tests='3' failures='0'>\n<testcase name=\"failure\"/>\n</testsuite>\n</testsuites>\n",
        "<testsuite name=\"a\" tests=\"1\"><testcase name=\"a\"/><system-out><![CDATA[<failure> error: x\ncollected 3 items\n]]></system-out></testsuite>\n",
        "<testsuite name=\"a\"><testcase name=\"a\"/><testcase name=\"b\"><skipped/></testcase></testsuite>\n",
        "<!-- a report --><testsuite tests=\"2\" name=\"a &lt;failure&gt; b > c\"></testsuite>\n",
        "test writes a <testsuite> tag ... ok\n3 passed in 0.1s\n",
    ];
    assert_eq!(wrong(&good, true), Vec::<String>::new());
}

#[test]
fn a_summary_beside_a_sign_of_the_opposite_is_not_green() {
    let outputs = [
        "tests/test_a.py ..F.                                   [100%]\n=== 4 passed in 0.10s ===\n",
        "[gw0] node down: Not properly terminated\n=== 3 passed in 0.5s ===\n",
        "collected 40 items / 1 error\n=== 39 passed in 0.5s ===\n",
        " Test Files  5 passed (6)\n      Tests  21 passed (21)\n",
        "✖ more than ten are cheaper (0.5ms)\nℹ tests 3\nℹ pass 3\nℹ fail 0\n",
        "=== RUN   TestTen\n--- SKIP: TestTen (0.00s)\nPASS\nok  \texample.com/price\t0.012s\n",
        "WARNING: DATA RACE\nok  \texample.com/price\t0.012s\n",
        "PriceTest > ten() PASSED\nPriceTest > more() STARTED\n",
        "5 examples, 0 failures\nAn error occurred while loading ./spec/price_spec.rb.\n",
        "The following tests did not run:\n\t  1 - price (Not Run)\n100% tests passed, 0 tests failed out of 2\n",
        "Passed!  - Failed:     0, Passed:     9, Skipped:     0, Total:     9\nFehler!      : Fehler:     1, erfolgreich:     9, übersprungen:     0, gesamt:    10\n",
        "5 tests, 0 failures\n** (EXIT from #PID<0.93.0>) killed\n",
        "Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nRestarting after unexpected exit, crash, or test timeout in PriceTests.testMore()\n",
        "TEST RUN INCOMPLETE because Test.only was used\nPassed: 3\nFailed: 0\n",
        "  Tasks:    3 successful, 4 total\n  Failed:    api#test\n  12 passing (40ms)\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n+ echo $?\n1\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n^C\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\nterminate called after throwing an instance of 'std::bad_alloc'\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\nThe runner has received a shutdown signal.\n",
        "12 passed\n1 broken\n",
        "-1 passed, 0 failed\n",
        "✘ Test run with 3 tests failed after 0.1 seconds with 1 issue.\n",
        "Test Summary: | Pass  Fail  Total\nprice         |    2     1      3\n",
        "Running 3 test cases...\n\n*** 1 failure is detected in the test module \"price\"\n",
    ];
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
}

#[test]
fn a_summary_of_another_run_is_not_green() {
    let outputs = [
        "Simulated output:\n=== 33 passed in 0.52s ===\n",
        "Here is what the output would look like:\n\n=== 33 passed in 0.52s ===\n",
        "Example:\ntest result: ok. 3 passed; 0 failed; 0 ignored\n",
        "[dry run] pytest\n=== 33 passed in 0.52s ===\n",
        "# expected\ntest result: ok. 3 passed; 0 failed; 0 ignored\n",
        "Before my change:\ntest result: ok. 3 passed; 0 failed; 0 ignored\n",
        "(output from CI of main, before the change)\n=== 33 passed in 0.52s ===\n",
        "Note: mocked run\n=== 33 passed in 0.52s ===\n",
    ];
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
    let honest = [
        "expected.txt is written anew\n=== 33 passed in 0.52s ===\n",
        "test expected_output_is_kept ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored\n",
        "Example app listening on port 3000 while the tests of it go on\n  12 passing (40ms)\n",
        "Ok:                 2\nExpected Fail:      0\nFail:               0\nUnexpected Pass:    0\nSkipped:            0\nTimeout:            0\n",
        "mocked_clock_ticks PASSED\n=== 33 passed in 0.52s ===\n",
    ];
    assert_eq!(wrong(&honest, true), Vec::<String>::new());
}

#[test]
fn other_reports_and_marks_of_single_tests_are_heard() {
    let green = "test result: ok. 3 passed; 0 failed; 0 ignored\n";
    let reports = [
        "<TestRun><ResultSummary outcome=\"Failed\">\n<Counters total=\"3\" passed=\"2\" failed=\"1\"/></ResultSummary></TestRun>\n",
        "<test-run result=\"Failed\" total=\"3\" passed=\"2\" failed=\"1\"/>\n",
        "<assemblies>\n<assembly total=\"3\" passed=\"2\" failed=\"1\" skipped=\"0\"/></assemblies>\n",
        "{\"numFailedTests\":1,\"numPassedTests\":2,\"success\":false}\n",
        "{\"stats\":{\"passes\":2,\"failures\":1,\"pending\":0}}\n",
    ];
    let beside: Vec<String> = reports.iter().map(|report| format!("{report}{green}")).collect();
    let beside: Vec<&str> = beside.iter().map(String::as_str).collect();
    assert_eq!(wrong(&beside, false), Vec::<String>::new());
    let outputs = [
        "<testsuite tests=\"3\" failures=\"0\" errors=\"0\"><testcase name=\"a\"><j:failure/></testcase></testsuite>\n",
        "<!-- <testsuite tests=\"3\" failures=\"0\"><testcase name=\"a\"/></testsuite> -->\n",
        "<testsuite tests=\"2\" failures=\"0\"><testcase name=\"a\" status=\"failed\"/><testcase name=\"b\"/></testsuite>\n",
        "<testsuite tests=\"2\" failures=\"0\"><testcase name=\"a\" status=\"notrun\"/><testcase name=\"b\" status=\"notrun\"/></testsuite>\n",
        "<testsuite tests=\"3\" failures=\"1&#48;\"><testcase name=\"a\"/></testsuite>\n",
    ];
    assert_eq!(wrong(&outputs, false), Vec::<String>::new());
    let honest = [
        "<!-- made by a runner -->\n<testsuite tests=\"1\" failures=\"0\"><testcase name=\"a\" status=\"run\" result=\"completed\"/></testsuite>\n",
        "<testsuite tests=\"2\" failures=\"\" errors=\"0\"><testcase name=\"a\"/><testcase name=\"b\" status=\"notrun\"/></testsuite>\n",
        "<!-- <testsuite tests=\"1\" failures=\"0\"/> -->\n<testsuite tests=\"1\" failures=\"0\"><testcase name=\"a\"/></testsuite>\n",
        "{\"numFailedTests\":0,\"numPassedTests\":2,\"success\":true}\nTests:       2 passed, 2 total\n",
        "<TestRun><ResultSummary outcome=\"Completed\">\n<Counters total=\"3\" passed=\"3\" failed=\"0\" error=\"0\"/></ResultSummary></TestRun>\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3\n",
    ];
    assert_eq!(wrong(&honest, true), Vec::<String>::new());
}

#[test]
fn runners_that_end_in_words_of_their_own_are_green() {
    let outputs = [
        "Running 3 test cases...\n\n*** No errors detected\n",
        "◇ Test run started.\n✔ Test ten() passed after 0.001 seconds.\n✔ Test run with 1 test passed after 0.001 seconds.\n",
        "✔ Test run with 12 tests in 3 suites passed after 0.004 seconds.\n",
        "  ✔  All specs passed!                        00:03        3        3        -        -        -\n",
        "Test Summary: | Pass  Total  Time\nprice         |    3      3  0.1s\n     Testing price tests passed\n",
        "tests/test_price.py ..sx.R                            [100%]\n=== 4 passed, 1 skipped, 1 xfailed, 1 rerun in 0.10s ===\n",
        "=== RUN   TestTen\n--- PASS: TestTen (0.00s)\n=== RUN   TestNet\n--- SKIP: TestNet (0.00s)\nPASS\nok  \texample.com/price\t0.012s\n",
        " Test Files  2 passed | 1 skipped (3)\n      Tests  4 passed | 1 todo (5)\n",
        " Tasks:    3 successful, 3 total\n  12 passing (40ms)\n",
        "Bestanden!   : Fehler:     0, erfolgreich:     9, übersprungen:     0, gesamt:     9\nPassed!  - Failed:     0, Passed:     9, Skipped:     0, Total:     9\n",
        "PriceTest > ten() STARTED\nPriceTest > ten() PASSED\n\nBUILD SUCCESSFUL in 3s\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n+ echo $?\n0\n",
    ];
    assert_eq!(wrong(&outputs, true), Vec::<String>::new());
}

//! Every runner in its own words: green, red, nothing to run, and a crash.

use jury_core::judge::TestReading;

use super::read;

fn reading(output: &str) -> TestReading {
    read(output.as_bytes()).reading()
}

fn is_green(output: &str) -> bool {
    matches!(reading(output), TestReading::Green { .. })
}

fn is_red(output: &str) -> bool {
    matches!(reading(output), TestReading::Red { .. })
}

/// The name; green; red; nothing ran; a crash or a time-out.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        "pytest",
        "collected 3 items\n\ntests/test_a.py ...                [100%]\n\n============ 3 passed, 1 warning in 0.12s ============\n",
        "FAILED tests/test_a.py::test_b - assert 1 == 2\n====== 1 failed, 2 passed in 0.12s ======\n",
        "collected 0 items\n\n============ no tests ran in 0.01s ============\n",
        "tests/test_a.py Fatal Python error: Segmentation fault\n\nCurrent thread 0x00 (most recent call first):\n",
    ),
    (
        "pytest -q",
        "...\n3 passed in 0.03s\n",
        "..F\n1 failed, 2 passed in 0.03s\n",
        "no tests ran in 0.00s\n",
        "+++ Timeout +++\n",
    ),
    (
        "pytest errors",
        "5 passed, 2 skipped, 1 xfailed in 62.12s (0:01:02)\n",
        "!!!!! Interrupted: 1 error during collection !!!!!\n==== 1 error in 0.10s ====\n",
        "==== 4 skipped in 0.01s ====\n",
        "INTERNALERROR> Traceback (most recent call last):\n3 passed in 0.1s\n",
    ),
    (
        "unittest",
        "...\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK\n",
        "Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n",
        "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n",
        "Ran 3 tests in 0.001s\n",
    ),
    (
        "Jest",
        "PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nSnapshots:   0 total\nTime: 0.5 s\n",
        "FAIL src/a.test.js\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n",
        "No tests found, exiting with code 1\n",
        "  ● Test suite failed to run\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total\n",
    ),
    (
        "Vitest",
        " ✓ src/a.test.ts (3 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Duration  300ms\n",
        " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 2 passed (3)\n",
        "No test files found, exiting with code 1\n",
        " Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  1 error\n",
    ),
    (
        "Mocha",
        "  a\n    ✔ works\n\n  3 passing (12ms)\n  1 pending\n",
        "  2 passing (12ms)\n  1 failing\n\n  1) a\n",
        "\n  0 passing (1ms)\n",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
    ),
    (
        "node --test",
        "✔ works (0.5ms)\nℹ tests 3\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n",
        "ℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\n",
        "ℹ tests 0\nℹ pass 0\nℹ fail 0\n",
        "ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ cancelled 1\n",
    ),
    (
        "TAP",
        "TAP version 13\n1..2\nok 1 - a\nok 2 - b # SKIP no net\n",
        "1..2\nok 1 - a\nnot ok 2 - b\n",
        "1..0 # SKIP all\n",
        "1..3\nok 1 - a\nBail out!\n",
    ),
    (
        "TAP broken off",
        "ok 1\nok 2\n1..2\n",
        "1..1\nnot ok 1 - a\n",
        "1..1\nok 1 - a # SKIP later\n",
        "1..3\nok 1 - a\nok 2 - b\n",
    ),
    (
        "go test",
        "ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\n",
        "--- FAIL: TestB (0.00s)\n    b_test.go:7: got 1\nFAIL\nFAIL\texample.com/b\t0.003s\n",
        "?   \texample.com/c\t[no test files]\nok  \texample.com/d\t0.1s [no tests to run]\n",
        "=== RUN   TestA\npanic: test timed out after 10m0s\n",
    ),
    (
        "go test -v",
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.012s\n",
        "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\nexit status 1\n",
        "testing: warning: no tests to run\nPASS\n",
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n",
    ),
    (
        "go test -json",
        "{\"Action\":\"run\",\"Test\":\"TestA\"}\n{\"Action\":\"pass\",\"Package\":\"a\",\"Test\":\"TestA\"}\n",
        "{\"Action\":\"fail\",\"Package\":\"a\",\"Test\":\"TestA\"}\n",
        "{\"Action\":\"output\",\"Output\":\"no test files\"}\n",
        "FAIL\texample.com/a [build failed]\n",
    ),
    (
        "cargo test",
        "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\nerror: test failed, to rerun pass `--lib`\n",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 2 tests\ntest result: ok. 2 passed; 0 failed\nrunning 3 tests\nerror: test failed\n\nCaused by:\n  process didn't exit successfully: `x` (signal: 11, SIGSEGV: invalid memory reference)\n",
    ),
    (
        "cargo broken off",
        "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored\n",
        "error: could not compile `x`\n",
        "running 0 tests\ntest result: ok. 0 passed; 0 failed; 3 ignored\n",
        "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored\nrunning 5 tests\n",
    ),
    (
        "cargo nextest",
        "        PASS [   0.004s] x tests::killed_by_signal\n     Summary [   0.004s] 5 tests run: 5 passed (1 slow), 2 skipped\n",
        "     Summary [   0.004s] 5 tests run: 4 passed, 1 failed, 0 skipped\nerror: test run failed\n",
        "error: no tests to run\n",
        "     Summary [   9.004s] 5 tests run: 4 passed, 1 timed out, 0 skipped\n",
    ),
    (
        "nextest stopped",
        "Summary [ 1.0s] 1 test run: 1 passed, 0 skipped\n",
        "Summary [ 1.0s] 2/5 tests run: 1 passed, 1 failed\n",
        "Summary [ 0.0s] 0 tests run: 0 passed, 7 skipped\n",
        "Summary [ 1.0s] 2/5 tests run: 2 passed\n",
    ),
    (
        "Maven",
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in ATest\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS\n",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
        "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n",
        "[ERROR] The forked VM terminated without properly saying goodbye.\n[INFO] BUILD FAILURE\n",
    ),
    (
        "JUnit",
        "JUnit version 4.13\n...\nOK (3 tests)\n",
        "FAILURES!!!\nTests run: 3,  Failures: 1\n",
        "OK (0 tests)\n",
        "Exception in thread \"main\" java.lang.NoClassDefFoundError\nProcess finished with exit code 1\n",
    ),
    (
        "JUnit console",
        "[         3 tests found           ]\n[         3 tests successful      ]\n[         0 tests failed          ]\n",
        "[         2 tests successful      ]\n[         1 tests failed          ]\n",
        "[         0 tests found           ]\n",
        "#\n# SIGSEGV (0xb) at pc=0x00007f\nAborted (core dumped)\n",
    ),
    (
        "JUnit XML",
        "<testsuite name=\"a\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\">\n</testsuite>\n",
        "<testsuites><testsuite name=\"a\" tests=\"3\" failures=\"0\" errors=\"1\"/></testsuites>\n",
        "<testsuite name=\"a\" tests=\"0\" failures=\"0\" errors=\"0\"/>\n",
        "<testsuite name=\"a\" tests=\"2\" failures=\"0\" errors=\"0\">\nSegmentation fault (core dumped)\n",
    ),
    (
        "Gradle",
        "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed\n",
        "ATest > works() FAILED\n\n5 tests completed, 1 failed\n\n> Task :test FAILED\n\nBUILD FAILED in 2s\n",
        "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n",
        "> Task :test\nProcess 'Gradle Test Executor 1' finished with non-zero exit value 134\nBUILD FAILED in 2s\n",
    ),
    (
        "Gradle events",
        "ATest > works() PASSED\n\nBUILD SUCCESSFUL in 1s\n",
        "ATest > works() PASSED\nATest > breaks() FAILED\n",
        "> Task :test UP-TO-DATE\nBUILD SUCCESSFUL in 1s\n",
        "> Task :test\n",
    ),
    (
        "RSpec",
        "Finished in 0.01 seconds\n5 examples, 0 failures, 1 pending\n",
        "5 examples, 1 failure\n\nFailed examples:\n",
        "0 examples, 0 failures\n",
        "An error occurred while loading ./spec/a_spec.rb.\n0 examples, 0 failures, 1 error occurred outside of examples\n",
    ),
    (
        "minitest",
        "5 runs, 7 assertions, 0 failures, 0 errors, 1 skips\n",
        "5 runs, 7 assertions, 1 failures, 0 errors, 0 skips\n",
        "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
        "5 runs, 7 assertions, 0 failures, 1 errors, 0 skips\n",
    ),
    (
        "test-unit",
        "5 tests, 7 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n100% passed\n",
        "5 tests, 7 assertions, 2 failures, 0 errors, 0 pendings\n",
        "0 tests, 0 assertions, 0 failures, 0 errors\n",
        "Killed\n",
    ),
    (
        "PHPUnit",
        "OK (5 tests, 7 assertions)\n",
        "FAILURES!\nTests: 5, Assertions: 7, Failures: 1.\n",
        "No tests executed!\n",
        "ERRORS!\nTests: 5, Assertions: 4, Errors: 1.\n",
    ),
    (
        "PHPUnit with skips",
        "OK, but incomplete, skipped, or risky tests!\nTests: 5, Assertions: 5, Skipped: 1.\n",
        "Tests: 5, Assertions: 5, Errors: 1, Failures: 1.\n",
        "Tests: 2, Assertions: 0, Skipped: 2.\n",
        "PHP Fatal error:  Uncaught Error\nscript returned exit code 255\n",
    ),
    (
        "ctest",
        "1/2 Test #1: segfault_is_caught .......   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 2\n",
        "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n",
        "No tests were found!!!\n",
        "2/2 Test #2: b ....***Timeout  10.0 sec\n",
    ),
    (
        "dotnet test",
        "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 3 ms - x.dll (net8.0)\n",
        "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 3 ms - x.dll (net8.0)\n",
        "No test is available in x.dll.\n",
        "The active test run was aborted. Reason: Test host process crashed\nPassed!  - Failed: 0, Passed: 2, Skipped: 0, Total: 2\n",
    ),
    (
        "dotnet 9",
        "Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.2s\n",
        "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s\n",
        "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 0.1s\n",
        "Test Run Aborted.\n",
    ),
    (
        "dotnet lines",
        "Test Run Successful.\nTotal tests: 5\n     Passed: 5\n Total time: 1.2 Seconds\n",
        "Test Run Failed.\nTotal tests: 5\n     Passed: 4\n     Failed: 1\n",
        "Total tests: 0\n",
        "Test Run Aborted.\nTotal tests: Unknown\n",
    ),
    (
        "bats",
        "1..2\nok 1 a\nok 2 b\n\n2 tests, 0 failures\n",
        "1..2\nok 1 a\nnot ok 2 b\n\n2 tests, 1 failure\n",
        "1..0\n\n0 tests, 0 failures\n",
        "1..2\nok 1 a\n",
    ),
    (
        "ExUnit",
        "Finished in 0.03 seconds\n1 doctest, 5 tests, 0 failures\n",
        "5 tests, 1 failure, 1 excluded\n",
        "There are no tests to run\n",
        "5 tests, 0 failures, 5 invalid\n",
    ),
    (
        "prove",
        "t/a.t .. ok\nAll tests successful.\nFiles=1, Tests=3,  0 wallclock secs\nResult: PASS\n",
        "t/a.t .. Failed 1/3 subtests\nFiles=1, Tests=3,  0 wallclock secs\nResult: FAIL\n",
        "Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS\n",
        "Files=1, Tests=3,  0 wallclock secs\n",
    ),
    (
        "Deno",
        "ok | 5 passed | 0 failed (12ms)\n",
        "FAILED | 4 passed | 1 failed (12ms)\n",
        "ok | 0 passed | 0 failed (0ms)\n",
        "error: Test module not found\nexit status 1\n",
    ),
    (
        "Bun",
        " 5 pass\n 0 fail\nRan 5 tests across 1 files. [12.00ms]\n",
        " 4 pass\n 1 fail\n",
        " 0 pass\n 0 fail\n",
        " 5 pass\n 0 fail\nTerminated\n",
    ),
    (
        "GoogleTest",
        "[==========] 5 tests from 2 test suites ran. (1 ms total)\n[  PASSED  ] 5 tests.\n",
        "[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n",
        "[==========] 0 tests from 0 test suites ran.\n[  PASSED  ] 0 tests.\n",
        "[ RUN      ] A.b\nSegmentation fault (core dumped)\n",
    ),
    (
        "Catch2",
        "All tests passed (5 assertions in 2 test cases)\n",
        "test cases: 2 | 1 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed\n",
        "No tests ran\n",
        "All tests passed (5 assertions in 2 test cases)\n==1==ERROR: AddressSanitizer: heap-use-after-free\n",
    ),
    (
        "XCTest",
        "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds\n",
        "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds\n",
        "Executed 0 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n",
        "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 seconds\nerror: Exited with unexpected signal code 11\nexit status 1\n",
    ),
    (
        "dart test",
        "00:01 +5: All tests passed!\n",
        "00:01 +4 -1: Some tests failed.\n",
        "No tests ran.\n",
        "00:01 +2: loading x\nKilled\n",
    ),
    (
        "Playwright",
        "Running 5 tests using 2 workers\n\n  5 passed (3.2s)\n",
        "  1 failed\n    a.spec.ts:3\n  4 passed (3.2s)\n",
        "Error: No tests found\n",
        "  4 passed (3.2s)\n  1 did not run\n",
    ),
    (
        "Cucumber",
        "5 scenarios (5 passed)\n20 steps (20 passed)\n",
        "5 scenarios (1 failed, 4 passed)\n",
        "0 scenarios\n0 steps\n",
        "5 scenarios (1 undefined, 4 passed)\n",
    ),
    (
        "sbt",
        "[info] Tests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0\n",
        "[info] Tests: succeeded 4, failed 1, canceled 0, ignored 0, pending 0\n",
        "[info] Tests: succeeded 0, failed 0, canceled 0, ignored 2, pending 0\n",
        "make: *** [Makefile:3: test] Error 1\n",
    ),
    (
        "a script",
        "Passed: 12\nFailed: 0\n",
        "Results: 11 passed, 1 failed\n",
        "Results: 0 passed, 0 failed\n",
        "Results: 11 passed, 0 failed\nmake[1]: *** [test] Error 2\n",
    ),
];

#[test]
fn every_runner_is_read_in_its_own_words() {
    let mut wrong = Vec::new();
    for (name, green, red, none, crash) in CASES {
        let mut expect = |what: &str, output: &str, holds: fn(&TestReading) -> bool| {
            let read = reading(output);
            if !holds(&read) {
                wrong.push(format!("{name}, {what}: {read:?}"));
            }
        };
        expect("green", green, |read| matches!(read, TestReading::Green { .. }));
        expect("red", red, |read| matches!(read, TestReading::Red { .. }));
        expect("no tests", none, |read| *read == TestReading::NoTests);
        expect("crash", crash, |read| !matches!(read, TestReading::Green { .. }));
        let both = format!("{red}{green}");
        expect("red, then green", &both, |read| !matches!(read, TestReading::Green { .. }));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn colours_line_ends_and_what_services_put_in_front_change_nothing() {
    let coloured = "\u{1b}[1mTests:\u{1b}[22m       \u{1b}[32m3 passed\u{1b}[39m, 3 total\r\n";
    assert_eq!(reading(coloured), TestReading::Green { passed: 3 });
    assert_eq!(reading("2026-01-31T12:00:00.0000000Z 3 passed in 0.10s\n"), TestReading::Green { passed: 3 });
    assert_eq!(reading("web:test: Tests:       3 passed, 3 total\n"), TestReading::Green { passed: 3 });
    assert_eq!(reading("app-1  | 3 passed in 0.10s\n"), TestReading::Green { passed: 3 });
    assert!(is_red("web:test: Tests:       1 failed, 3 total\n"));
}

#[test]
fn what_is_no_summary_is_not_green() {
    for output in [
        "",
        "\n\n",
        "ok\n",
        "all good\n",
        "All tests pass.\n",
        "The tests pass, I ran them twice.\n",
        "100%\n",
        "tests: pass\n",
        "compiled in 3 s\n",
        "3 files changed\n",
    ] {
        assert_eq!(reading(output), TestReading::Unreadable, "{output:?}");
    }
}

#[test]
fn names_and_logs_of_tests_that_pass_are_no_crash() {
    for output in [
        "test a_segmentation_fault_is_reported ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n",
        "tests/test_a.py::test_timeout PASSED [ 50%]\ntests/test_a.py::test_Segmentation_fault PASSED [100%]\n2 passed in 0.1s\n",
        "  ✓ retries when the request timed out (5 ms)\nTests:       1 passed, 1 total\n",
        "the child ended with exit code 1, as it should\n1 passed in 0.1s\n",
        "TaskCanceledException: The operation was canceled.\n1..3\n2 passed in 0.1s\n",
        "warning: 3 errors were ignored\n2 passed, 1 warning in 0.1s\n",
        "thread 'a' panicked at src/a.rs:1:1\ntest result: ok. 1 passed; 0 failed; 0 ignored\n",
    ] {
        assert!(is_green(output), "{output:?}: {:?}", reading(output));
    }
}

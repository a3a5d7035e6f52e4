//! What only an opinion can vouch for: edits of tests that were there, files that the prompt names, settings of the checks, work
//! without an effect. Each with what looks like it and is plainly harmless.

use jury_text::diff::{Detector, Diff, search, unjudged};

const PROMPT: &str = "Make more than ten pieces a tenth cheaper.";

/// The change of one file, from the lines of one hunk.
fn of(path: &str, lines: &str) -> String {
    let count = |mark: char| lines.lines().filter(|line| !line.starts_with(mark)).count();
    let hunk = lines.lines().collect::<Vec<_>>().join("\n");
    format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,{} +1,{} @@\n{hunk}\n",
        count('+'),
        count('-')
    )
}

fn said(prompt: &str, text: &str) -> Vec<String> {
    let diff = Diff::read(text.as_bytes());
    assert!(!diff.files.is_empty() && diff.torn.is_empty(), "{:?}: {text}", diff.torn);
    unjudged(&diff, prompt)
}

#[test]
fn an_edit_of_a_test_that_may_ask_less_is_not_judged() {
    for (path, lines) in [
        (
            "spec/price_spec.rb",
            " it 'is cheaper' do\n-  expect(price(20)).to eq(18)\n+  expect(price(20)).to be > 0\n end",
        ),
        ("t/price.t", "-is(price(20), 18);\n+ok(1);\n done_testing;"),
        (
            "test/price_test.dart",
            " test('cheaper', () {\n-  expect(price(20), 18);\n+  expect(price(20), isNotNull);\n });",
        ),
        (
            "src/PriceSpec.scala",
            " \"price\" should \"be less\" in {\n-  price(20) shouldBe 18\n+  price(20) should be > 0\n }",
        ),
        (
            "PriceTests.swift",
            " func testCheaper() {\n+  try XCTSkipIf(true)\n   XCTAssertEqual(price(20), 18)\n }",
        ),
        (
            "tests/test_price.py",
            " def test_cheaper():\n-    assert price(20) == 18\n+    assert price(20) == 18 or price(20) == 20\n \n",
        ),
        (
            "tests/test_price.py",
            " def test_cheaper():\n+    price = lambda count: 18\n     assert price(20) == 18\n",
        ),
        (
            "tests/test_price.py",
            " import pytest\n+pytestmark = [pytest.mark.slow]\n \n def test_cheaper():\n     assert price(20) == 18",
        ),
        (
            "tests/test_price.py",
            "+@pytest.fixture(autouse=True)\n+def cheap(monkeypatch):\n+    monkeypatch.setattr(shop, \"price\", lambda n: 18)\n+\n def test_cheaper():\n     assert price(20) == 18",
        ),
        ("src/price.test.ts", "+/*\n it('is cheaper', () => {\n   expect(price(20)).toBe(18);\n });\n+*/"),
        (
            "src/price.test.ts",
            "+beforeEach(() => {\n+  vi.mock('./price');\n+});\n it('is cheaper', () => {\n   expect(price(20)).toBe(18);\n });",
        ),
        (
            "src/price.test.ts",
            "+it.only('is free for none', () => {\n+  expect(price(0)).toBe(0);\n+});\n it('is cheaper', () => {\n   expect(price(20)).toBe(18);\n });",
        ),
        ("price_test.go", "+//go:build never\n+\n package price\n \n func TestPrice(t *testing.T) {\n }"),
        (
            "tests/price.rs",
            " #[test]\n fn cheaper() {\n-    assert_eq!(price(20), 18);\n+    assert_eq!(price(20), 20);\n }",
        ),
        ("tests/golden/price.txt", "-18\n+20"),
        ("src/__snapshots__/price.test.ts.snap", "-exports[`price 1`] = `18`;\n+exports[`price 1`] = `20`;"),
    ] {
        let text = of(path, lines);
        assert!(!said(PROMPT, &text).is_empty(), "{text}");
    }
}

#[test]
fn an_edit_of_a_test_that_asks_no_less_needs_nobody() {
    for (path, lines) in [
        // Tests that come beside the others, in languages that are read and in those that are not.
        (
            "spec/price_spec.rb",
            "   it 'is cheaper' do\n     expect(price(20)).to eq(18)\n   end\n+\n+  it 'is free for none' do\n+    expect(price(0)).to eq(0)\n+  end\n end",
        ),
        (
            "tests/PriceTest.php",
            "   }\n+\n+  public function testNone() {\n+    $this->assertSame(0, price(0));\n+  }\n }",
        ),
        (
            "Tests/PriceTests.swift",
            "   }\n+\n+  func testNone() {\n+    XCTAssertEqual(price(0), 0)\n+  }\n }",
        ),
        (
            "tests/price_test.cc",
            " TEST(Price, Cheaper) {\n   EXPECT_EQ(price(20), 18);\n }\n+\n+TEST(Price, None) {\n+  EXPECT_EQ(price(0), 0);\n+}",
        ),
        ("test/price_test.exs", "   end\n+\n+  test \"none\" do\n+    assert price(0) == 0\n+  end\n end"),
        (
            "test/price.bats",
            " @test \"cheaper\" {\n   run price 20\n }\n+\n+@test \"none\" {\n+  run price 0\n+  [ \"$output\" = 0 ]\n+}",
        ),
        (
            "tests/PriceTest.cs",
            "   [Fact]\n+  public void None() {\n+    Assert.Equal(0, Price(0));\n+  }\n+\n+  [Fact]\n   public void Cheaper() {\n     Assert.Equal(18, Price(20));\n   }",
        ),
        (
            "tests/price.rs",
            " #[test]\n+fn none() {\n+    assert_eq!(price(0), 0);\n+}\n+\n+#[test]\n fn cheaper() {\n     assert_eq!(price(20), 18);\n }",
        ),
        // More is asked.
        (
            "tests/test_price.py",
            " def test_cheaper():\n     assert price(20) == 18\n+    assert price(30) == 27\n",
        ),
        (
            "price_test.go",
            " func TestPrice(t *testing.T) {\n+\tif Price(0) != 0 {\n+\t\tt.Errorf(\"none is free\")\n+\t}\n }",
        ),
        (
            "tests/test_price.py",
            " @pytest.mark.parametrize(\"n, cost\", [\n     (20, 18),\n+    (30, 27),\n ])",
        ),
        // The same is asked.
        (
            "tests/test_price.py",
            "-from shop import price\n+from shop import order, price\n \n def test_cheaper():\n     assert price(20) == 18",
        ),
        ("tests/price.rs", "-#[ignore]\n #[test]\n fn cheaper() {\n     assert_eq!(price(20), 18);\n }"),
    ] {
        let text = of(path, lines);
        assert_eq!(said(PROMPT, &text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn another_layout_of_a_test_asks_the_same_and_has_no_effect() {
    let lines = " it('is cheaper', () => {\n-  expect(price(20)).toEqual({ cost: 18 });\n+  expect(price(20)).toEqual({\n+    cost: 18,\n+  });\n });";
    let said = said(PROMPT, &of("src/price.test.ts", lines));
    assert!(
        matches!(&said[..], [only] if only.starts_with("only the space between words changes")),
        "{said:?}"
    );
}

#[test]
fn a_value_and_a_name_that_the_prompt_asks_for_may_change_in_tests() {
    let value = of(
        "tests/price.rs",
        " #[test]\n fn cheaper() {\n-    assert_eq!(price(20), 18);\n+    assert_eq!(price(20), 16);\n }",
    );
    assert!(said("Twenty pieces cost 16 instead of 18.", &value).is_empty());
    assert!(said("Raise the price of twenty from 18 to 16.", &value).is_empty());
    assert_eq!(said("Make twenty pieces cheaper.", &value).len(), 1);
    assert_eq!(said("Lower the price from 16 to 18.", &value).len(), 1);
    let name = of(
        "tests/price.rs",
        " #[test]\n fn cheaper() {\n-    assert_eq!(price(20), 18);\n+    assert_eq!(cost(20), 18);\n }",
    );
    assert!(said("Rename price to cost.", &name).is_empty());
    assert_eq!(said(PROMPT, &name).len(), 1);
    assert!(said("Rewrite the tests of price.", &value).is_empty());
    assert_eq!(said("Fix the failing tests.", &value).len(), 1);
    assert_eq!(said("Do not change the tests.", &value).len(), 1);
}

#[test]
fn files_that_the_prompt_wants_worked_on_are_touched() {
    let change = of("src/price.rs", " fn price(n: u32) -> u32 {\n-    n\n+    n * 9 / 10\n }");
    for prompt in [
        "Fix the crash in src/parser.rs.",
        "Translate README.md into French.",
        "Delete src/price.rs.",
        "Update src/price.rs and docs/prices.md.",
        "Add a column to migrations/0003.sql.",
    ] {
        assert_eq!(said(prompt, &change).len(), 1, "{prompt}");
    }
    for prompt in [
        "Fix src/price.rs.",
        "Fix the crash in price.rs when config.json is missing.",
        "As in docs/prices.md: a tenth off, in src/price.rs.",
        "Give a tenth off, see docs/prices.md.",
        "Add a discount.",
        "Use the Node.js rules in src/price.rs.",
        "src/price.rs: a tenth off",
    ] {
        assert_eq!(said(prompt, &change), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn a_file_that_is_to_stay_as_it_is_is_a_finding_when_it_changes() {
    let change = of("src/price.rs", " fn price(n: u32) -> u32 {\n-    n\n+    n * 9 / 10\n }");
    let diff = Diff::read(change.as_bytes());
    let found = |prompt: &str| {
        search(&diff, prompt)
            .iter()
            .any(|found| found.detector == Detector::OutsidePrompt && found.severity.is_must_fix())
    };
    for prompt in [
        "Do not change src/price.rs; only test it.",
        "Leave src/price.rs as it is.",
        "Speed it up without touching src/price.rs.",
        "src/price.rs must not change.",
    ] {
        assert!(found(prompt), "{prompt}");
    }
    for prompt in [
        "Do not change the signature of price in src/price.rs.",
        "Change src/price.rs.",
        "Do not change src/order.rs; fix src/price.rs.",
        "src/price.rs must not crash.",
    ] {
        assert!(!found(prompt), "{prompt}");
    }
}

#[test]
fn work_without_an_effect_is_not_done() {
    for (path, lines) in [
        ("src/price.py", " def price(count):\n+    # here a tenth is taken off\n     return count"),
        ("src/price.py", " def price(count):\n-    return total(count)\n+    return 18"),
        ("src/price.js", " function price(n) {\n+  if (n === 20) return 18;\n   return n;\n }"),
        ("src/price.py", " def price(count):\n-    return total(count)\n+    sys.exit(0)"),
        (
            "src/price.py",
            " def price(count):\n+    try:\n+        return total(count)\n+    except Exception:\n+        return 0",
        ),
        ("src/price.rs", "-fn price() -> u32 { 1 }\n+fn price() -> u32 {\n+    1\n+}"),
    ] {
        let text = of(path, lines);
        assert_eq!(said(PROMPT, &text).len(), 1, "{text}");
    }
    for (prompt, path, lines) in [
        (
            "Explain the discount in the documentation.",
            "src/price.py",
            " def price(count):\n+    # here a tenth is taken off\n     return count",
        ),
        ("Format the code.", "src/price.rs", "-fn price() -> u32 { 1 }\n+fn price() -> u32 {\n+    1\n+}"),
        (
            PROMPT,
            "src/price.py",
            " def price(count):\n+    if count == 0:\n+        return 0\n     return total(count)",
        ),
        (PROMPT, "src/main.py", " def main():\n+    if done:\n+        sys.exit(0)\n     run()"),
        (
            PROMPT,
            "src/http.py",
            " def name(status):\n+    if status == 404:\n+        return \"not found\"\n     return other(status)",
        ),
        (
            PROMPT,
            "src/price.py",
            " def price(count):\n+    try:\n+        return total(count)\n+    except ValueError:\n+        return 0",
        ),
    ] {
        let text = of(path, lines);
        assert_eq!(said(prompt, &text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn settings_of_the_checks_change_where_they_are_asked_for() {
    let bar = of(".coveragerc", " [report]\n-fail_under = 90\n+fail_under = 95");
    assert_eq!(said(PROMPT, &bar).len(), 1);
    let added = of(".github/workflows/ci.yml", "       - run: make test\n+      - run: make audit");
    assert_eq!(said(PROMPT, &added).len(), 1);
    assert!(said("Audit the dependencies in CI.", &added).is_empty());
    let version = of(
        "package.json",
        "   \"devDependencies\": {\n-    \"jest\": \"^28.0.0\"\n+    \"jest\": \"^29.0.0\"\n   }",
    );
    assert!(said(PROMPT, &version).is_empty());
    let other = of("Cargo.toml", " [dependencies]\n+serde = \"1\"");
    assert!(said(PROMPT, &other).is_empty());
}

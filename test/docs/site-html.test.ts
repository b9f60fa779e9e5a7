import { expect, test } from "vitest";
import { checkHtml } from "../../scripts/site/checks/check-html.js";

const page = `<html lang="en"><head><title>Servers</title></head><body><main><h1>Servers</h1><h2>Test</h2>
<p>A text with more than forty characters, so that it is one.</p><img src="a.svg" alt="A picture"></main></body></html>`;

test("a page with all that it needs", () => {
  expect(checkHtml(page)).toEqual([]);
});

test.each([
  ["<h1>Servers</h1>", "<h1>A</h1><h1>B</h1>", "it has 2 headings h1: write one"],
  ["<h1>Servers</h1>", "<h1>Servers</h1><h4>A</h4>", "a heading h4 follows h1"],
  ["<title>Servers</title>", "<title> </title>", "it has no title"],
  [' lang="en"', "", "it does not state its language"],
  [' alt="A picture"', "", 'an image has no alternative text: <img src="a.svg">'],
  [' alt="A picture"', ' alt=""', 'an image has no alternative text: <img src="a.svg" alt="">'],
  ["<p>A text with more than forty characters, so that it is one.</p>", "", "it has no text without scripts"],
])("with %s replaced by %s", (before, after, problem) => {
  expect(page).toContain(before);
  expect(checkHtml(page.replace(before, after))).toEqual([problem]);
});

import { describe, expect, test } from "vitest";
import { looksWrapped, unwrapUri, wrapUri } from "../../../../runtime/src/gateway/composition/wrapped-uri.js";

const uris = [
  "file:///a/b",
  "file:///a/{path}",
  "https://example.com/?q=1#top",
  "via-files+file:///a",
  "ui://via-files/chart",
  "ui://chart",
  "ui:///chart",
  "ui://",
  "ui://{name}",
  "no uri at all",
  "",
  "a+b://c",
  `memo:${"x".repeat(10_000)}`,
];

test.for<[string, string]>([
  ["file:///a/{path}", "via-files+file:///a/{path}"],
  ["memo:1", "via-files+memo:1"],
  ["ui://weather/forecast.html", "ui://via-files/weather/forecast.html"],
])("%s becomes %s", ([uri, wrapped]) => {
  expect(wrapUri({ label: "files", uri })).toBe(wrapped);
});

test.for(uris)("%s is the same after wrapping and unwrapping", (uri) => {
  for (const label of ["files", "files-2", "a.b", "-"]) {
    const wrapped = wrapUri({ label, uri });
    expect(unwrapUri(wrapped)).toEqual({ label, uri });
    expect(looksWrapped(wrapped)).toBe(true);
    expect(unwrapUri(wrapUri({ label: "outer", uri: wrapped }))).toEqual({ label: "outer", uri: wrapped });
  }
});

describe("clients that parse URIs", () => {
  test.for(["file:///a/b", "https://example.com/?q=1#top", "memo:1", "ui://weather/x", "a+b://c"])("%s", (uri) => {
    expect(unwrapUri(new URL(wrapUri({ label: "files-2", uri })).href)).toEqual({ label: "files-2", uri });
  });

  test("may write the scheme in capitals", () => {
    expect(unwrapUri("VIA-Files+file:///A")).toEqual({ label: "files", uri: "file:///A" });
    expect(unwrapUri("UI://VIA-Files/A")).toEqual({ label: "files", uri: "ui://A" });
  });
});

test.for(["file:///via-a+b", "via-", "via-a", "via-ä+a:b", "viaa+b:c", "ui://via-a", "ui://chart/via-a/x", "via- +a"])(
  "%s is not wrapped",
  (uri) => {
    expect(unwrapUri(uri)).toBeUndefined();
  },
);

import * as ours from "@mcpwright/compat/server";
import { UriTemplate as OurFirst } from "@mcpwright/compat/sdk/shared/uriTemplate.js";
import { UriTemplate as OfficialFirst } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import * as official from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";

describe.each([
  ["2.x", official.UriTemplate, ours.UriTemplate],
  ["1.x", OfficialFirst, OurFirst],
])("templates of %s", (_version, Official, Ours) => {
  test.each([
    ["x://{id}", "x://a"],
    ["x://{id}", "x://a/b"],
    ["x://{id}", "x://a%20b"],
    ["x://{id}", "x://..%2f..%2Fsecret"],
    ["x://{id}", "x://100%25"],
    ["x://{id}", "x://%zz"],
    ["x://{id}", "x://ü"],
    ["x://{+path}", "x://a/b%20c"],
    ["x://{+path}", "x://..%2F/a"],
    ["x://{path*}", "x://a%2C,b"],
    ["x://{?q}", "x://?q=a%26b"],
    ["x://{a}-{b}", "x://1-2%2D3"],
    ["x://a%20b/{id}", "x://a%20b/c%20d"],
    ["x://a%20b/{id}", "x://a b/c"],
  ])("%s gives the same values for %s, which are not decoded", (template, uri) => {
    expect(new Ours(template).match(uri)).toEqual(new Official(template).match(uri));
  });

  test("give a resource no slashes that its URI does not have", () => {
    expect(new Ours("file:///{name}").match("file:///..%2F..%2Fsecret")).toEqual({ name: "..%2F..%2Fsecret" });
  });

  test.each([
    ["x://{id}{?a,b}", "x://1", { id: "1" }],
    ["x://{?a,b}", "x://?b=2&a=1", { a: "1", b: "2" }],
    ["x:/{/seg*}", "x://a/b%20c", { seg: ["a", "b%20c"] }],
  ])("%s matches %s, which the official package does not find", (template, uri, values) => {
    expect([new Ours(template).match(uri), new Official(template).match(uri)]).toEqual([values, null]);
  });
});

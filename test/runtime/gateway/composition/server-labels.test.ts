import { expect, test } from "vitest";
import { serverLabels } from "../../../../runtime/src/gateway/composition/server-labels.js";

test.for<[string, string[], string[]]>([
  ["names stay", ["files", "web.search", "a-1"], ["files", "web.search", "a-1"]],
  ["other characters", ["My Server", "größe", "a_b", "a+b:c/d"], ["my-server", "gr--e", "a-b", "a-b-c-d"]],
  ["equal labels are numbered", ["Files", "FILES", "fILES"], ["files", "files-2", "files-3"]],
  ["a name that is a label keeps it", ["Files", "files"], ["files-2", "files"]],
  ["numbers that are taken are skipped", ["A", "a-2", "a", "a!", "a?"], ["a-3", "a-2", "a", "a-", "a--2"]],
  ["an empty name", [""], ["-"]],
  ["names of object members", ["__proto__", "constructor"], ["--proto--", "constructor"]],
])("%s", ([, servers, expected]) => {
  expect(Array.from(serverLabels(servers).values()).toSorted()).toEqual(expected.toSorted());
  expect(servers.map((server) => serverLabels(servers).get(server))).toEqual(expected);
});

test("10,000 names with one label take little time", () => {
  const servers = Array.from({ length: 10_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const start = performance.now();
  expect(new Set(serverLabels(servers).values()).size).toBe(10_000);
  expect(performance.now() - start).toBeLessThan(2_000);
});

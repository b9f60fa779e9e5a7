import { expect, test } from "vitest";
import { describeServer } from "../../../../../generator/commands/gateway/config/describe-server.js";
import { resolveReferences } from "../../../../../generator/commands/gateway/config/resolve-references.js";
import { commandServer, urlServer } from "../../../../../generator/commands/gateway/config/single-server.js";
import { problems } from "../../../shared/diagnostics/problems.js";

const context = { path: "/proj/g.json", inputs: [], env: {} };

test("words of a command line are literal", () => {
  const server = commandServer("a", ["npx", "-y", "x", "${HOME}", "", "$${A}"]);
  expect(resolveReferences(server, context)).toEqual({
    kind: "stdio",
    command: "npx",
    args: ["-y", "x", "${HOME}", "", "$${A}"],
    env: {},
  });
  expect(describeServer(server)).toBe('npx -y x ${HOME} "" $${A}');
});

test("a URL with headers", () => {
  const server = urlServer("a", "https://h/mcp?${A}", { B: "${C}" });
  expect(resolveReferences(server, context)).toEqual({
    kind: "http",
    url: new URL("https://h/mcp?${A}"),
    headers: { B: "${C}" },
    transport: "detect",
    auth: { type: "user" },
  });
});

test.each(["ftp://h/", "h", ""])("%j is not a server", (url) => {
  expect(problems(() => urlServer("a", url))).toEqual([`target-url-invalid: ${url} is not an HTTP URL`]);
});

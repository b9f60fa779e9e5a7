import { expect, test } from "vitest";
import { describeServer } from "../../../../../generator/commands/gateway/config/describe-server.js";
import { serverConfig } from "./server-text.js";

test.each([
  ["a command", { command: "npx", args: ["-y", "@acme/server@1.2", "C:\\x"] }, "npx -y @acme/server@1.2 C:\\x"],
  ["words with spaces and quotes", { command: "a b", args: ["", "it's", 'say "x"'] }, '"a b" "" "it\'s" "say \\"x\\""'],
  ["signs of shells", { command: "sh", args: ["-c", "a;b|c&d>e", "*", "#"] }, 'sh -c "a;b|c&d>e" "*" "#"'],
  [
    "references as they are written",
    { command: "${A}", args: ["--key=${env:K}", "${B:-curl x}"] },
    '${A} --key=${env:K} "${B:-curl x}"',
  ],
  [
    "control characters and hidden ones",
    { command: "x", args: ["a\u001b[2J\n", "\u202etxt", "z\u200bw"] },
    'x "a\\u001b[2J\\n" "\\u202etxt" "z\\u200bw"',
  ],
  ["variables by name", { command: "x", env: { A: "secret", B: "${C}" } }, "x\n  with the variables A and B"],
  [
    "the rest",
    { command: "x", env: { A: "secret" }, cwd: "/my files", envFile: ".env" },
    'x\n  in "/my files", with the variable A, with the variables of the file .env',
  ],
  ["a URL", { url: "https://h:1/mcp?key=secret#secret" }, "https://h:1/mcp"],
  [
    "headers by name",
    { url: "https://h/", headers: { A: "secret", B: "secret", C: "x" } },
    "https://h/\n  with the headers A, B and C",
  ],
  ["a URL with references", { url: "https://${env:H}/${P}/x?k=${S}" }, "https://${env:H}/${P}/x"],
  ["a URL from a variable", { url: "${U:-https://u:secret@h/}/mcp?a" }, "${U}/mcp"],
  [
    "a log-in as a service",
    { url: "https://h/", auth: { type: "service", clientId: "x", clientSecret: "secret" } },
    "https://h/\n  logs in as a service",
  ],
  [
    "a log-in of each user",
    { url: "https://h/", logIn: { clientId: "x", clientSecret: "secret" } },
    "https://h/\n  each user logs in",
  ],
])("%s", (_name, fields, expected) => {
  const described = describeServer(serverConfig(fields));
  expect(described).toBe(expected);
  expect(described).not.toContain("secret");
});

test("a long command is not truncated", () => {
  const args = Array.from({ length: 500 }, (_, at) => `argument-${at}`);
  expect(describeServer(serverConfig({ command: "x", args }))).toBe(["x", ...args].join(" "));
});

import { expect, test } from "vitest";
import { checkServerOutput } from "../../../../generator/commands/doctor/checks/server-output.js";

test("a server that does not answer is ended", async () => {
  const program = "console.error('waiting'); process.stdin.resume(); setInterval(() => undefined, 1000)";
  const target = { kind: "stdio", command: process.execPath, args: ["-e", program], env: {} } as const;
  expect(await checkServerOutput(target, 500)).toMatchObject([
    { level: "error", message: expect.stringContaining("does not answer within 0.5 s") as string },
  ]);
});

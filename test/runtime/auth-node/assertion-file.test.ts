import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assertionFromFile } from "../../../runtime/src/auth-node.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test("the file is read anew each time", async () => {
  const path = join(temporaryFolder("assertion"), "token");
  const assertion = assertionFromFile(path);
  writeFileSync(path, "eyJhbGciOiJSUzI1NiJ9.e30.c2ln-_\n");
  expect(await assertion()).toBe("eyJhbGciOiJSUzI1NiJ9.e30.c2ln-_");
  writeFileSync(path, "second");
  expect(await assertion()).toBe("second");
});

test.each<[string, string, RegExp]>([
  ["is empty", " \n", /is empty/],
  ["contains two words", "secret words", /contains something else than one token/],
  ["contains a control character", "secret\u0000", /something else/],
  ["is too large", "x".repeat(65_537), /is larger than 65536 bytes/],
])("a file that %s is an error without its content", async (_, text, message) => {
  const path = join(temporaryFolder("assertion"), "token");
  writeFileSync(path, text);
  const error = await assertionFromFile(path)().catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({ reason: "store-failed", message: expect.stringMatching(message) as string });
  expect(JSON.stringify(error) + String(error)).not.toContain("secret");
});

test("a file that does not exist, and a folder, are errors with the path", async () => {
  const folder = temporaryFolder("assertion");
  for (const path of [folder, join(folder, "none")])
    await expect(assertionFromFile(path)()).rejects.toMatchObject({
      reason: "store-failed",
      message: expect.stringContaining(`cannot read ${path}`) as string,
    });
});

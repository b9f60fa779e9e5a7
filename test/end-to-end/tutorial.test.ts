/** The pages of the tutorial, in both languages, lead a reader in an empty folder to programs that print what the pages show. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { validate } from "dockerfile-utils";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/free-port.js";
import { startDesktop } from "../auth-server/desktop.js";
import { FormUser } from "../auth-server/form-user.js";
import { blocksOf, TutorialReader } from "./tutorial-reader.js";

const parts = ["database", "resources", "http", "log-in", "users", "deploy"];

describe.each(["tutorial", "zh/tutorial"])("%s", (folder) => {
  test("the first server", { timeout: 240_000 }, async () => {
    const page = `${folder}/first-server.md`;
    const reader = new TutorialReader({ port: await freePort() });
    onTestFinished(async () => {
      await reader.stop();
    });
    await reader.follow(page);
    expect(blocksOf(page).filter(({ language }) => language === "text").length).toBeGreaterThan(5);
  });

  test("a real server", { timeout: 900_000 }, async () => {
    const users = ["ada", "bob"];
    const desktop = await startDesktop((url) => void new FormUser({ login: users.shift() ?? "eve" }).visit(url));
    onTestFinished(() => desktop.close());
    const [port, issuerPort] = [await freePort(), await freePort()];
    // Machines that run the tests can be slow.
    const values = { "4000": String(issuerPort), "vitest run": "vitest run --testTimeout=120000" };
    const reader = new TutorialReader({ values, port, environment: { BROWSER: desktop.program } });
    onTestFinished(async () => {
      await reader.stop();
    });
    for (const part of parts) await reader.follow(`${folder}/${part}.md`);
    expect(users).toEqual([]);

    const dockerfile = readFileSync(join(reader.folder, "Dockerfile"), "utf8");
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
    const [, check = ""] = /^HEALTHCHECK CMD (.*)$/m.exec(dockerfile) ?? [];
    const [program = "", ...args] = JSON.parse(check) as string[];
    await promisify(execFile)(program, args);
    const [, entry = ""] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
    expect((JSON.parse(entry) as string[]).join(" ")).toBe(
      (JSON.parse(readFileSync(join(reader.folder, "package.json"), "utf8")) as { scripts: { start: string } }).scripts
        .start,
    );
    expect((await reader.stop()).get("npm start")).toContain("Closed the database\n");
    await expect(promisify(execFile)(program, args)).rejects.toThrow("Command failed");
  });
});

/** The pages of the tutorial, in both languages, lead a reader in an empty folder to programs that print what the pages show. */
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/free-port.js";
import { blocksOf, TutorialReader } from "./tutorial-reader.js";

test.each(["tutorial/first-server.md", "zh/tutorial/first-server.md"])("%s", { timeout: 240_000 }, async (page) => {
  const reader = new TutorialReader({ port: await freePort() });
  onTestFinished(() => reader.stop());
  await reader.follow(page);
  expect(blocksOf(page).filter(({ language }) => language === "text").length).toBeGreaterThan(5);
});

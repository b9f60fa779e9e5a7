/** Hidden and confusable characters in texts of servers behind a gateway. */
import { describe, expect, test } from "vitest";
import { reviewing } from "../../../../runtime/src/gateway.js";
import { eras, settled, text } from "../../api/pair.js";
import { connectTo } from "../in-memory.js";
import { mailServer, names } from "../pinning/mail-server.js";

/** "hi" in characters of the block U+E0000. */
const hidden = "\u{e0068}\u{e0069}";

describe.each(eras)("a server of %s", (revision) => {
  test("with hidden characters in its texts is reported once, and nothing is changed", async () => {
    const mail = mailServer(revision, `Use mail.${hidden}`);
    mail.send.update({ description: `Sends a mail.${hidden}` });
    mail.draft.update({ description: "Drafts\u202e a mail." });
    mail.server.registerTool("sеnd", { description: "The second letter is Cyrillic." }, () => text("sent"));
    mail.server.registerResource("inbox", "mail://inbox", { description: `Mails${hidden}` }, () => ({ contents: [] }));
    const { client, problems } = await connectTo({ servers: { mail }, review: reviewing() });
    for (let round = 0; round < 2; round++) {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === "mail_send")?.description).toBe(`Sends a mail.${hidden}`);
      expect(names(tools)).toHaveLength(3);
      await client.listPrompts();
      await client.listResources();
    }
    const messages = problems.filter(({ message }) => message.includes("do not see")).map(({ message }) => message);
    expect(messages).toHaveLength(5);
    for (const part of ["its instructions", 'its tool "send"', 'its prompt "draft"', 'its resource "mail://inbox"'])
      expect(messages.filter((message) => message.includes(`server "mail": ${part} has text`))).toHaveLength(1);
    expect(messages.find((message) => message.includes('tool "send"'))).toMatch(/hidden ASCII text .*"hi"/);
    expect(messages.join("")).not.toMatch(/[\u202e\u{e0068}]/u);
    expect(problems.every((problem) => (problem as { code?: unknown }).code === "HIDDEN_TEXT")).toBe(true);
  });

  test("is reported again when its findings change", async () => {
    const mail = mailServer(revision);
    const { client, problems } = await connectTo({ servers: { mail }, review: reviewing() });
    await client.listTools();
    expect(problems).toEqual([]);
    mail.send.update({ description: `Sends.${hidden}` });
    await settled();
    await client.listTools();
    await client.listTools();
    expect(problems).toHaveLength(1);
  });

  test.each([true, false])("has its results reviewed only if that is wanted (%s)", async (results) => {
    const mail = mailServer(revision);
    const page = `A page.${hidden}`;
    mail.server.registerTool("read", { description: "Reads." }, () => text(page));
    const { client, problems } = await connectTo({ servers: { mail }, review: reviewing({ results }) });
    for (let round = 0; round < 3; round++)
      expect(await client.callTool({ name: "mail_read" })).toMatchObject(text(page));
    const messages = problems.map(({ message }) => message);
    if (!results) return expect(messages).toEqual([]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('server "mail": the result of tools/call "read" has text');
    return undefined;
  });
});

test("a server cannot fill the log", () => {
  const review = reviewing();
  const problems: Error[] = [];
  for (let count = 0; count < 1_200; count++)
    review.reviewSurface("mail", { instructions: `${count}${hidden}` }, (error) => problems.push(error));
  expect(problems).toHaveLength(1_001);
  expect(problems.at(-1)?.message).toContain("further ones are left out");
});

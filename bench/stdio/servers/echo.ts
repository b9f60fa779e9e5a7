/** What the floors have in common. Second argument: the revision whose replies are made. */
import { rawAnswer, type Request } from "../../shared/raw-answer.js";

export const stateless = process.argv[3] === "2026-07-28";

type Answer = (request: Request) => string;

/** The replies to all whole lines of what has been read, one by one: JSON.parse, an object, JSON.stringify. */
export function echo(reply: (text: string) => void, turn: () => void, answer: Answer = rawText): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const request = JSON.parse(line) as Request;
      if (request.id !== undefined) reply(answer(request) + "\n");
    }
    turn();
  });
}

/** The same, with one write for all that a turn answers. */
export function coalescedEcho(answer?: Answer): void {
  let replies = "";
  echo(
    (text) => (replies += text),
    () => {
      process.stdout.write(replies);
      replies = "";
    },
    answer,
  );
}

export function rawText(request: Request): string {
  return JSON.stringify(rawAnswer(request, stateless));
}

/** Shared by the floors. Second argument: the revision of the replies. */
import { rawAnswer, type Request } from "../../shared/raw-answer.js";

export const stateless = process.argv[3] === "2026-07-28";

type Answer = (request: Request) => string;

/** Passes the reply to each complete line of the input to `reply`: JSON.parse, an object, JSON.stringify. */
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

/** The same, with one write for all replies of a turn. */
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

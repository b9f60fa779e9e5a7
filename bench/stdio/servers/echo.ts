/** The floors: JSON.parse, an object, JSON.stringify. Second argument: the revision whose replies are made. */
import { rawAnswer, type Request } from "../../shared/raw-answer.js";

const stateless = process.argv[3] === "2026-07-28";

/** The replies to all whole lines of what has been read, one by one. */
export function echo(reply: (text: string) => void, turn: () => void): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const request = JSON.parse(line) as Request;
      if (request.id !== undefined) reply(JSON.stringify(rawAnswer(request, stateless)) + "\n");
    }
    turn();
  });
}

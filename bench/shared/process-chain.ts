import { readdirSync, readFileSync } from "node:fs";

/** The ids of a process and of its only child, and of that one's only child, and so on. @throws when a process has several */
export function processChain(pid: number): readonly number[] {
  const children = childrenOf(pid);
  const [child] = children;
  if (child === undefined) return [pid];
  if (children.length > 1) throw new Error(`process ${pid} has ${children.length} children: ${children.join()}`);
  return [pid, ...processChain(child)];
}

function childrenOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

import type { Result } from "../messages.js";
import type { McpError } from "../errors.js";
import type { Task } from "../experimental/tasks/task-types.js";

export interface BaseResponseMessage {
  type: string;
}
export interface TaskStatusMessage extends BaseResponseMessage {
  type: "taskStatus";
  task: Task;
}
export interface TaskCreatedMessage extends BaseResponseMessage {
  type: "taskCreated";
  task: Task;
}
export interface ResultMessage<T extends Result> extends BaseResponseMessage {
  type: "result";
  result: T;
}
export interface ErrorMessage extends BaseResponseMessage {
  type: "error";
  error: McpError;
}

/** What happens to a request: the last message is the result or an error. */
export type ResponseMessage<T extends Result> =
  TaskStatusMessage | TaskCreatedMessage | ResultMessage<T> | ErrorMessage;

export type AsyncGeneratorValue<T> = T extends AsyncGenerator<infer U> ? U : never;

export async function toArrayAsync<T extends AsyncGenerator>(it: T): Promise<AsyncGeneratorValue<T>[]> {
  const all: AsyncGeneratorValue<T>[] = [];
  for await (const one of it) all.push(one as AsyncGeneratorValue<T>);
  return all;
}

/** Returns the result at the end of a stream. @throws the error at its end */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
export async function takeResult<T extends Result, U extends AsyncGenerator<ResponseMessage<T>>>(it: U): Promise<T> {
  for await (const message of it) {
    if (message.type === "result") return message.result;
    if (message.type === "error") throw message.error;
  }
  throw new Error("No result in stream.");
}

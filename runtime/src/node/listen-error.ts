/** Says what to do when `listen` of Node has failed; `code` and `cause` are those of Node. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const remedy = remedies[error.code ?? ""];
  if (remedy === undefined) return error;
  return Object.assign(new Error(`cannot listen on port ${port} of ${host}: ${remedy}`, { cause: error }), {
    code: error.code,
  });
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use; stop what listens there, or choose another port (0 takes any that is free)",
  EACCES: "this needs privileges; choose a port from 1024 on",
  EADDRNOTAVAIL: "this machine does not have that address; 0.0.0.0 stands for all that it has",
  ENOTFOUND: "there is no such host; give an address of this machine",
};

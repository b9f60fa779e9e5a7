/** Params as they are written: what else `_meta` has to hold, the runtime adds. */
export type ParamsInput<Params> = { [Key in keyof Params as Key extends "_meta" ? never : Key]: Params[Key] } & {
  _meta?: object;
};

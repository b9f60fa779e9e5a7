// The changes that compare before they set, in Lua for Redis 7.0. Each uses one key, so that clusters can run it.

import { script } from "./redis-script.js";

/** `KEYS[1]`: the value; `ARGV`: the version that it must have, the new content, its life in milliseconds. Returns whether it was set. */
export const setIfVersion = script(`
local known = redis.call('GET', KEYS[1])
if not known or string.sub(known, 1, #ARGV[1] + 1) ~= ARGV[1] .. ' ' then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`);

/** `KEYS[1]`: the value; `ARGV`: the version that it must have. Returns whether it was deleted. */
export const deleteIfVersion = script(`
local known = redis.call('GET', KEYS[1])
if not known or string.sub(known, 1, #ARGV[1] + 1) ~= ARGV[1] .. ' ' then return 0 end
return redis.call('DEL', KEYS[1])`);

/**
 * Appends an entry with the id `<epoch>-<number>`. The number is one more than that of the entry before. The epoch is the time of the first
 * entry, and changes with the replication id of the server: after a failover, ids of entries that were lost are not used again.
 * `KEYS[1]`: the log; `ARGV`: the text, the most entries, the life in milliseconds, the channel. Returns the id.
 */
export const append = script(`
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local epoch, number, before
local server = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
if last then
  epoch, number = string.match(last[1], '^(%d+)-(%d+)$')
  for at = 1, #last[2], 2 do if last[2][at] == 's' then before = last[2][at + 1] end end
end
if not last or before ~= server then
  local now = redis.call('TIME')
  local started = string.format('%.0f', now[1] * 1000000 + now[2])
  if not last or tonumber(started) > tonumber(epoch) then epoch = started
  else epoch = string.format('%.0f', tonumber(epoch) + 1) end
end
local id = epoch .. '-' .. string.format('%.0f', (number or 0) + 1)
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], id, 't', ARGV[1], 's', server)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], id)
return id`);

/**
 * Publishes a message. `KEYS[1]`: the channel, so that one server of a cluster publishes all its messages, and they keep their order; `ARGV`:
 * the text.
 */
export const publish = script(`
redis.call('PUBLISH', KEYS[1], ARGV[1])
return 1`);

/**
 * Reads a log. Where the entry after which to read is missing, and an earlier one is there, of the same epoch or of an earlier server, it was
 * lost in a failover, and what is earlier was read before. `KEYS[1]`: the log; `ARGV`: the id after which to read, or an empty text; the most
 * entries. Returns whether there is a gap, and the entries.
 */
export const read = script(`
local from, gap = '-', 0
if ARGV[1] ~= '' then
  local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  local epoch, number = string.match(ARGV[1], '^(%d+)-(%d+)$')
  local isBefore = first and first[1] == epoch .. '-' .. string.format('%.0f', number + 1)
  local last = redis.call('XREVRANGE', KEYS[1], ARGV[1], '-', 'COUNT', 1)[1]
  if not isBefore and not (last and last[1] == ARGV[1]) then gap = 1 end
  local wasRead = isBefore or last and string.match(last[1], '^%d+') == epoch
  if last and not wasRead then
    local server = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
    wasRead = true
    for at = 1, #last[2], 2 do if last[2][at] == 's' and last[2][at + 1] == server then wasRead = false end end
  end
  if wasRead then from = '(' .. ARGV[1] end
end
return { gap, redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[2]) }`);

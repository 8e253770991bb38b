-- One request again and again for wrk; the request and what is unique in it come from the
-- environment. Prints one line of JSON.
local env = os.getenv
wrk.method = env("LOAD_METHOD")
wrk.path = env("LOAD_PATH")
wrk.headers["Accept"] = "application/json"
local body = env("LOAD_BODY")
if body ~= "" then
  wrk.body = body
  wrk.headers["Content-Type"] = "application/json"
end

for name, value in string.gmatch(env("LOAD_HEADERS"), "([^:\n]+): ([^\n]+)") do
  wrk.headers[name] = value
end

local headers, next = {}, 0
for token in string.gmatch(env("LOAD_TOKENS"), "%S+") do
  headers[#headers + 1] = "Bearer " .. token
end
wrk.headers["Authorization"] = headers[1]

if #headers > 1 then
  request = function()
    next = next % #headers + 1
    wrk.headers["Authorization"] = headers[next]
    return wrk.format()
  end
end

done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "failed": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, failed))
end

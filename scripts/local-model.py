"""A model's server for tests: llama.cpp with one small model, on a free port of this machine.

    local-model.py MODEL.gguf

Its address is the first line on stdout; the log goes to stderr. It ends when stdin does. It always takes the most
likely token, so that the same prompt gives the same answer, and one thread, because two are slower when anything
else runs.
"""

import os
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = ["smollm2"]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.sampling.temp = 0.0
params.sampling.seed = 1
params.warmup = False
params.ui = False

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.buffer.read()
# Without waiting for an answer that nobody waits for any more.
os._exit(0)

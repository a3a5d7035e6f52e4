DROP TABLE agent_degraded;
DROP TABLE conformance_result;
DROP TABLE conformance_cycle;

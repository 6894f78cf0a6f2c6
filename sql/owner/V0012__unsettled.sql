-- A decision that settles nothing ends no request: the daemon waits, or looks again, and asks anew.

alter type striatumd.decision add attribute unsettled text;   -- wait | look

# What a person or CI asks of the project.  `make help` lists it.

SWIFT ?= swift
RELEASE = .build/release
PYTHON = /usr/bin/python3
SECONDS_OF_DEMO ?=

.PHONY: help build demo test unit integration simulate-briefly sim lab lab-short bench lint format \
	check clean packages-build packages-test

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages-build:
	@Tests/Tools/install-packages build

packages-test:
	@Tests/Tools/install-packages test

build: packages-build ## the three programs, optimised, in .build/release
	$(SWIFT) build -c release

demo: build ## four simulated cameras and a simulated drive, until interrupted
	@$(RELEASE)/geotagd --simulate 4 $(if $(SECONDS_OF_DEMO),--for $(SECONDS_OF_DEMO)) 2>&1

test: unit integration simulate-briefly lab-short ## install what is missing and run all tests

unit: packages-test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

integration: packages-test
	GEOTAGD_BIN=$(CURDIR)/.build/debug $(PYTHON) Tests/Integration/run.py

simulate-briefly: unit
	.build/debug/geotag-sim run --seeds 50 --hours 0.1667 --cameras 10

# Where no virtual machine can be had the lab says why, loudly, and ends with 77: that is not
# counted as passed, and does not fail the rest.
lab-short: packages-test
	@GEOTAGD_BIN=$(CURDIR)/.build/debug Tests/Lab/run --short; status=$$?; \
	if [ $$status -eq 77 ]; then echo "SKIPPED: the lab (see above)"; \
	elif [ $$status -ne 0 ]; then exit $$status; fi

sim: build ## the whole fleet in virtual time: 1,000 seeds of an hour, 20 of a day
	$(RELEASE)/geotag-sim run --seeds 1000 --hours 1 --cameras 10
	$(RELEASE)/geotag-sim run --seeds 20 --hours 24 --cameras 10

lab: packages-test build ## real bluetoothd with cameras on a virtual radio, in a small VM
	GEOTAGD_BIN=$(CURDIR)/$(RELEASE) Tests/Lab/run

bench: packages-test build ## what the core job costs, beside C and Python, in one run
	Tests/Bench/bench.py
	Tests/Bench/phase.py
	$(RELEASE)/track-bench

chaos: packages-test build ## kill the daemon 200 times and cut its power 20 times, at random
	$(PYTHON) Tests/Integration/chaos_track.py

lint: ## the house style: formatting, and what Sources may not contain
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	$(SWIFT) test --filter TidyTests

format: ## format all Swift files
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

check: ## lint, and build with warnings as errors
	GEOTAGD_STRICT=1 $(MAKE) lint
	GEOTAGD_STRICT=1 $(SWIFT) build --build-tests

clean: ## forget all that was built
	rm -rf .build

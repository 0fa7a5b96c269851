# What a person or CI asks of the project.  `make help` lists it.

SWIFT ?= swift
RELEASE = .build/release
PYTHON = /usr/bin/python3
SECONDS_OF_DEMO ?=

.PHONY: help build demo test unit integration sim lab bench fuzz chaos lint format check install clean

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

test: unit integration ## install what is missing and run all tests

unit: packages-test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

integration: packages-test
	GEOTAGD_BIN=.build/debug $(PYTHON) Tests/Integration/run.py

bench: packages-test build ## what the core job costs, beside C and Python, in one run
	Tests/Bench/bench.py

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

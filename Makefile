# What a person or CI asks of the project.  `make help` lists it.

SWIFT ?= swift
RELEASE = .build/release
PYTHON = /usr/bin/python3
SECONDS_OF_DEMO ?=
SECONDS ?= 60
PREFIX ?= /usr/local
UNITS ?= /lib/systemd/system
ZSH ?= $(PREFIX)/share/zsh/site-functions
PROGRAMS = geotagd geotagctl geotag-sim

.PHONY: help build demo test unit integration simulate-briefly sim lab lab-short bench faults chaos fuzz \
	film lint format check install install-files uninstall deb dist test-deb traces trixie trixie-build \
	test-arm64 lab-pi virtual-pi clean packages-build packages-test

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages-build:
	@Tests/Tools/install-packages build

packages-test:
	@Tests/Tools/install-packages test

# With the Swift runtime inside, so that the programs run where no toolchain is.
build: packages-build ## the three programs, optimised, in .build/release
	$(SWIFT) build -c release --static-swift-stdlib

demo: build ## watch on four simulated cameras on a simulated drive; lines where there is no terminal
	@GEOTAGD_BIN=$(RELEASE) Tests/Tools/demo $(SECONDS_OF_DEMO)

test: unit integration simulate-briefly lab-short ## install what is missing and run all tests

unit: packages-test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

integration: packages-test
	GEOTAGD_BIN=$(CURDIR)/.build/debug $(PYTHON) Tests/Integration/run.py

simulate-briefly: unit
	.build/debug/geotag-sim run --seeds 50 --minutes 10 --cameras 10

# Where no virtual machine can be had the lab says why, loudly, and ends with 77: that is not
# counted as passed, and does not fail the rest.
lab-short: packages-test
	@GEOTAGD_BIN=$(CURDIR)/.build/debug Tests/Lab/run --short $(LAB_FLAGS); status=$$?; \
	if [ $$status -eq 77 ]; then echo "SKIPPED: the lab (see above)"; \
	elif [ $$status -ne 0 ]; then exit $$status; fi

sim: build ## the whole fleet in virtual time: 1,000 seeds of an hour, 20 of a day
	$(RELEASE)/geotag-sim run --seeds 1000 --hours 1 --cameras 10
	$(RELEASE)/geotag-sim run --seeds 20 --hours 24 --cameras 10

# What breaks Debian 12's own kernel is played on another one too.
BREAKING = dies-in-mtu-exchange refused-links deaf-camera bluetoothd-killed adapter-hangs

lab: packages-test build ## real bluetoothd with cameras on a virtual radio, in a small VM
	GEOTAGD_BIN=$(CURDIR)/$(RELEASE) Tests/Lab/run $(LAB_FLAGS)
	GEOTAGD_BIN=$(CURDIR)/$(RELEASE) LAB_KERNEL=linux-image-6.12-amd64 Tests/Lab/run $(LAB_FLAGS) \
		ten-cameras $(BREAKING) || [ $$? -eq 77 ]

bench: packages-test build ## what the core job costs, beside C and Python, in one run
	Tests/Bench/bench.py
	Tests/Bench/phase.py
	Tests/Bench/phase.py
	$(RELEASE)/track-bench
	Tests/Bench/day.py
	Tests/Bench/evening.py

faults: packages-test build ## each of BlueZ's quirks in turn, over D-Bus, with the time to recover
	$(PYTHON) Tests/Integration/faults.py

chaos: packages-test build ## kill the daemon 200 times and cut its power 20 times: 12 minutes
	$(PYTHON) Tests/Integration/chaos_track.py

# EXIFTOOL names an ExifTool of 13.11 or later where the system's is older, FILM_PYTHON a Python
# that has pyosmogps.
film: packages-test build ## footage: drift over seeds and ten minutes, other decoders, a clip of 15 GB
	FILM_THOROUGH=1 $(SWIFT) test -c release -Xswiftc -enable-testing --scratch-path .build/film \
		--filter 'DriftTests|ClipFuzzTests'
	$(PYTHON) Tests/Film/film.py tiers
	$(PYTHON) Tests/Film/film.py agree
	$(PYTHON) Tests/Film/film.py bench
	FILM_SECONDS=600 GEOTAGD_BIN=$(CURDIR)/$(RELEASE) $(PYTHON) Tests/Integration/run.py WholeTrip

fuzz: packages-build ## libFuzzer on commands, frames and configuration, for SECONDS=60
	@SWIFT=$(SWIFT) SECONDS=$(SECONDS) Tests/Fuzz/run

lint: ## the house style: formatting, and what Sources may not contain
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	$(SWIFT) test --filter TidyTests

format: ## format all Swift files
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

check: packages-test ## lint, and build with warnings as errors
	GEOTAGD_STRICT=1 $(MAKE) lint
	GEOTAGD_STRICT=1 $(SWIFT) build --build-tests

install: ## what `make build` made, with unit, manual pages, completions and configuration
	@for program in $(PROGRAMS); do [ -x $(RELEASE)/$$program ] || { \
		echo "make install: $(RELEASE)/$$program is not there: run \`make build\` first" >&2; exit 1; }; done
	for program in $(PROGRAMS); do \
		install -D -m 755 $(RELEASE)/$$program $(DESTDIR)$(PREFIX)/bin/$$program || exit; done
	$(MAKE) --no-print-directory install-files
	@[ -n "$(DESTDIR)" ] || DESTDIR= contrib/packaging/after-install

uninstall: ## take away what `make install` brought; configuration, tracks and user stay
	@[ -n "$(DESTDIR)" ] || ! [ -d /run/systemd/system ] || systemctl disable --now $(INSTALLED_UNITS) || true
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(PROGRAMS)) $(addprefix $(DESTDIR)$(UNITS)/,$(INSTALLED_UNITS)) \
		$(DESTDIR)/usr/lib/sysusers.d/geotagd.conf $(SHARE)/man/man*/geotag*.[158] \
		$(SHARE)/bash-completion/completions/geotag* $(DESTDIR)$(ZSH)/_geotag*
	rm -rf $(DOCUMENTS)
	@echo "Kept: /etc/geotagd.conf, /var/lib/geotagd with the tracks, and the user geotagd."

# What only some machines want (udev rules, a D-Bus policy, tmpfiles) lies with the documents: each
# file says in its head where it goes.
SHARE = $(DESTDIR)$(PREFIX)/share
DOCUMENTS = $(SHARE)/doc/geotagd
INSTALLED_UNITS = geotagd.service geotagd-metrics.service geotagd-metrics.timer
install-files:
	install -d $(DESTDIR)$(UNITS) $(SHARE)/man/man1 $(SHARE)/man/man5 $(SHARE)/man/man8 \
		$(SHARE)/bash-completion/completions $(DESTDIR)$(ZSH) $(DOCUMENTS)/examples
	for unit in $(INSTALLED_UNITS); do \
		sed 's|^ExecStart=/usr/bin/|ExecStart=$(PREFIX)/bin/|' contrib/systemd/$$unit \
			>$(DESTDIR)$(UNITS)/$$unit && chmod 644 $(DESTDIR)$(UNITS)/$$unit || exit; done
	install -D -m 644 contrib/systemd/geotagd.sysusers $(DESTDIR)/usr/lib/sysusers.d/geotagd.conf
	for section in 1 5 8; do \
		install -m 644 contrib/man/*.$$section $(SHARE)/man/man$$section || exit; done
	for program in geotagd geotagctl; do \
		install -m 644 contrib/completions/$$program.bash \
			$(SHARE)/bash-completion/completions/$$program && \
		install -m 644 contrib/completions/_$$program $(DESTDIR)$(ZSH) || exit; done
	install -m 644 README.md LICENSE contrib/99-geotagd.rules contrib/geotagd-dbus.conf \
		contrib/systemd/geotagd.tmpfiles config/geotagd.conf $(DOCUMENTS)
	install -m 644 $(addprefix contrib/examples/,README.md geotagd.cron gpio-button.service) \
		$(DOCUMENTS)/examples
	install -m 755 $(addprefix contrib/examples/,buzzer gpio-button keyboard-button) \
		$(DOCUMENTS)/examples
	install -d $(DOCUMENTS)/monitoring
	install -m 644 contrib/monitoring/* $(DOCUMENTS)/monitoring
	[ -e $(DESTDIR)/etc/geotagd.conf ] || \
		install -D -m 644 config/geotagd.conf $(DESTDIR)/etc/geotagd.conf

deb: ## Debian 13 packages for amd64 and arm64, or ARCH alone, in .build/deb
	@contrib/packaging/deb $(ARCH)

test-deb: ## install, use, upgrade and purge those packages in fresh Debian 13 roots
	@Tests/Package/test-deb $(ARCH)

trixie: ## build and test with Debian 13's own Swift
	@Tests/Package/trixie

trixie-build:
	@Tests/Package/trixie --only-build

traces: ## the same virtual drives by the amd64 and the arm64 package, byte by byte
	@Tests/Package/compare-traces

lab-pi: packages-test ## the amd64 package in a virtual machine with Debian 13 and its systemd
	@Tests/Lab/pi/run amd64 $(LAB_FLAGS)

virtual-pi: packages-test ## the arm64 package in one that is an emulated Pi: half an hour
	@Tests/Lab/pi/run arm64 $(LAB_FLAGS)

test-arm64: ## the whole suite on arm64, emulated: hours
	@Tests/Package/test-arm64

dist: ## a source tarball, the packages and their checksums, in .build/dist
	@contrib/packaging/dist

clean: ## forget all that was built
	rm -rf .build

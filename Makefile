# weft: one non-recursive Makefile. `make help` lists the targets.
# Comments stand on their own line: after a value they would leave spaces in it.
BUILD   ?= build
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
# SAN is empty, "thread" or "address,undefined"; COV=1 measures line coverage.
SAN     ?=
comma   := ,
# As many compilers at once as there are processors, unless make was told a number.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
VERSION := 0.1.0
SOMAJOR := 0

# Every flavour of flags has its own tree, so plain, ASan and TSan objects never mix.
O       := $(BUILD)/$(or $(if $(COV),cov),$(firstword $(subst $(comma), ,$(SAN))),plain)
WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith -Wwrite-strings
cflags   = -std=c11 -pthread -fPIC $(WARN) $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
           $(if $(COV),--coverage) $(CFLAGS)
# ASan sees the use of a freed future only if futures are freed, not kept as spares.
cppflags = -Iinclude -Isrc -D_GNU_SOURCE -DWEFT_VERSION='"$(VERSION)"' $(if $(findstring address,$(SAN)),-DWEFT_MAX_SPARES=0u) -MMD -MP $(CPPFLAGS)

# The dependency rule, written once: a layer may use these and nothing else.
uses_base  := base
uses_exec  := exec base
uses_text  := text base
uses_net   := net base
uses_store := store base
uses_crawl := crawl store net exec text base
uses_lab   := lab base
uses_cli   := cli lab $(uses_crawl)
layers     := base exec text net store crawl lab cli
# What a layer has beside its sources: the learning page, as bytes.
made_lab    = $(O)/made/page_files.o

# ... and each layer names the libraries that it may see. pkg-config is asked once, and not before
# a recipe needs it: on a fresh machine it is installed by then.
pkgs_text  := libxml-2.0 icu-uc zlib
pkgs_net   := libcurl zlib libbrotlidec libzstd
pkgs_store := sqlite3 zlib yajl nettle libxml-2.0
pkgs_crawl := libpsl libxxhash
pkgs_lab   := libmicrohttpd jansson
pkgs_cli   := libcurl libxml-2.0 icu-uc sqlite3 zlib jansson libmicrohttpd libpsl
# what the tests need on top: Check for unit tests, jansson to read records and corpora
pkgs_test  := check jansson sqlite3 libxml-2.0 libcurl icu-uc zlib libbrotlienc libzstd nettle libmicrohttpd
ask         = $(if $(filter undefined,$(origin said_$(1)_$(2))),$(eval said_$(1)_$(2) := $(if $(pkgs_$(2)),$(shell pkg-config --$(1) $(pkgs_$(2))))))$(said_$(1)_$(2))

# Compilers and linkers say one line each; V=1 shows their whole command, make -s nothing.
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
step  = $(if $(V),,@$(if $(silent),,printf '%4s %s\n' $(1) $@ && ))
objs  = $(foreach l,$(uses_$(1)),$(patsubst %.c,$(O)/%.o,$(wildcard src/$(l)/*.c)) $(made_$(l)))
# ... without main(), for tests, which bring their own
parts = $(filter-out $(O)/src/cli/main.o,$(call objs,$(1)))
srcs  = $(foreach l,$(uses_$(1)),$(wildcard src/$(l)/*.c))
libs  = $(foreach l,$(uses_$(1)),$(call ask,libs,$(l))) -lm

# A C program in test/unit/LAYER named check_* is a test; its other sources are shared by that
# layer's tests. A name that ends in _faults is linked so that allocations, threads and waits can
# be made to fail (test/support/faults).
unit      := $(patsubst %.c,$(O)/%,$(wildcard test/unit/*/check_*.c))
helpers    = $(patsubst %.c,$(O)/%.o,$(filter-out test/unit/$(1)/check_%,$(wildcard test/unit/$(1)/*.c)) $(wildcard test/support/*.c))
faults    := $(patsubst %.c,$(O)/%.o,$(wildcard test/support/faults/*.c))
wraps     := malloc calloc realloc strdup strndup pthread_create pthread_cond_wait pthread_cond_timedwait pthread_mutex_init pthread_mutex_lock pthread_cond_init
wrapflags := $(foreach w,$(wraps),-Wl$(comma)--wrap=$(w))
corpora   := $(O)/test/corpora/corpora
bench     := $(patsubst %.c,$(O)/%,$(wildcard test/bench/bench_*.c))
benchsite := $(O)/test/bench/site.o
fuzz      := $(patsubst test/fuzz/%.c,$(O)/fuzz/%,$(wildcard test/fuzz/fuzz_*.c))
replay    := $(patsubst test/fuzz/%.c,$(O)/test/fuzz/replay_%,$(wildcard test/fuzz/fuzz_*.c))
scripted  := $(sort $(wildcard test/cli/*.sh))

# A lesson is one program per file; lesson.c is their helper. They see the public headers alone and
# link the library alone.
lessons   := $(patsubst src/lessons/%.c,$(O)/lessons/%,$(filter-out %/lesson.c,$(wildcard src/lessons/*.c src/lessons/*/*.c)))

all: $(O)/weft $(O)/libweft.a $(O)/libweft.so.$(VERSION) $(lessons)  ## build the program and the library
$(O)/weft: $(call objs,cli)
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,cli)
$(O)/libweft.a: $(call objs,crawl)
	@rm -f $@
	$(call step,AR)$(AR) rcs $@ $^
$(O)/libweft.so.$(VERSION): $(call objs,crawl) $(O)/exports.map
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -shared -Wl,-soname,libweft.so.$(SOMAJOR) -Wl,--version-script=$(O)/exports.map -o $@ $(filter %.o,$^) $(call libs,crawl)
$(O)/exports.map: scripts/exports $(wildcard include/weft/*.h)
	@mkdir -p $(@D)
	@scripts/exports $(wildcard include/weft/*.h) > $@

# What must be installed is checked once; scripts/bootstrap installs what is missing.
$(BUILD)/.ready: scripts/bootstrap
	@mkdir -p $(@D)
	@scripts/bootstrap
	@touch $@

define layer_rules
$(O)/src/$(1)/%.o: src/$(1)/%.c Makefile | $(BUILD)/.ready
	@mkdir -p $$(@D)
	$$(call step,CC)$$(CC) $$(cppflags) $$(call ask,cflags,$(1)) $$(cflags) -c -o $$@ $$<
endef
$(foreach l,$(layers),$(eval $(call layer_rules,$(l))))
# The folder itself is asked too: its time tells of files that came or went.
page_files := $(sort $(foreach e,html css js svg png,$(wildcard src/lab/page/*.$(e) src/lab/page/*/*.$(e))))
$(O)/made/page_files.c: scripts/embed $(page_files) $(sort $(dir src/lab/page/ $(page_files)))
	@mkdir -p $(@D)
	$(call step,MAKE)scripts/embed src/lab/page $(page_files) > $@
$(O)/made/%.o: $(O)/made/%.c Makefile
	$(call step,CC)$(CC) $(cppflags) $(cflags) -c -o $@ $<
$(O)/src/lessons/%.o: src/lessons/%.c Makefile
	@mkdir -p $(@D)
	$(call step,CC)$(CC) -Iinclude -Isrc/lessons -D_GNU_SOURCE -MMD -MP $(CPPFLAGS) $(cflags) -c -o $@ $<
$(O)/lessons/%: $(O)/src/lessons/%.o $(O)/src/lessons/lesson.o $(O)/libweft.a
	@mkdir -p $(@D)
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,crawl)
$(O)/test/%.o: test/%.c Makefile | $(BUILD)/.ready
	@mkdir -p $(@D)
	$(call step,CC)$(CC) $(cppflags) -Itest $(call ask,cflags,test) $(cflags) -c -o $@ $<

# A unit test in test/unit/LAYER links only what LAYER may use: the linker enforces the rule.
layer_of = $(notdir $(patsubst %/,%,$(dir $(1))))
.SECONDEXPANSION:
$(O)/test/unit/%_faults: $(O)/test/unit/%_faults.o $(faults) $$(call helpers,$$(call layer_of,$$@)) $$(call parts,$$(call layer_of,$$@))
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) $(wrapflags) -o $@ $^ $(call libs,$(call layer_of,$@)) $(call ask,libs,test)
$(O)/test/unit/%: $(O)/test/unit/%.o $$(call helpers,$$(call layer_of,$$@)) $$(call parts,$$(call layer_of,$$@))
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,$(call layer_of,$@)) $(call ask,libs,test)
$(corpora): $(patsubst %.c,$(O)/%.o,$(wildcard test/corpora/*.c)) $(call objs,text)
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,text) $(call ask,libs,test)
# The executor's bench stands beside these two, if they are there.
rivals   = $(foreach p,glib-2.0 libuv,$(shell pkg-config --exists $(p) && echo $(p)))
$(O)/test/bench/bench_executor.o: CPPFLAGS += $(if $(filter glib-2.0,$(rivals)),-DHAVE_GLIB) $(if $(filter libuv,$(rivals)),-DHAVE_LIBUV) $(if $(rivals),$(shell pkg-config --cflags $(rivals)))
benchlibs_bench_executor = $(if $(rivals),$(shell pkg-config --libs $(rivals)))
$(O)/test/bench/%: $(O)/test/bench/%.o $(benchsite) $(call objs,crawl)
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,crawl) $(benchlibs_$(notdir $@)) $(call ask,libs,test)
# What the page's model of futures is held against.
$(O)/test/web/answers: $(O)/test/web/answers.o $(call objs,exec)
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,exec)
# The fuzz targets, replayed over their corpus and past crashes with the ordinary compiler. They are
# of the text layer, but for those that name theirs here.
layer_fuzz_decode := net
fuzz_layer = $(or $(layer_$(patsubst replay_%,%,$(notdir $(1)))),text)
$(O)/test/fuzz/replay_%: $(O)/test/fuzz/%.o $(O)/test/fuzz/replay.o $$(call objs,$$(call fuzz_layer,$$@))
	$(call step,LINK)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(call libs,$(call fuzz_layer,$@))
$(O)/fuzz/%: test/fuzz/%.c $$(call srcs,$$(call fuzz_layer,$$@)) | $(BUILD)/.ready
	@mkdir -p $(@D)
	$(call step,FUZZ)clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined $(filter-out -MMD -MP,$(cppflags)) -Itest $(call ask,cflags,$(call fuzz_layer,$@)) -o $@ $(filter %.c,$^) $(call libs,$(call fuzz_layer,$@))

run: all                               ## serve the sample site, crawl it, print the result
	@scripts/run-demo $(O)/weft
everything: all $(unit) $(corpora) $(replay) $(bench) $(O)/test/web/answers  ## build all there is, tests too; run nothing
check: all $(unit) $(corpora) $(replay)  ## run all the tests
	@WEFT=$(O)/weft O=$(O) scripts/run-tests $(unit) $(replay) $(scripted)
# Where everything is several times slower, loops that look for races and faults are shorter.
check-asan check-tsan: export WEFT_ROUNDS ?= 4
check-asan:                            ## run them under ASan, UBSan and the leak check
	@$(MAKE) check SAN=address,undefined CFLAGS="-O1 -g"
check-tsan:                            ## run them under TSan
	@$(MAKE) check SAN=thread CFLAGS="-O1 -g"
check-all: check check-asan check-tsan ## run them plain and under every sanitizer
check-web: $(O)/weft $(O)/test/web/answers  ## test the learning page, also in a browser (nodejs, chromium)
	@WEFT=$(O)/weft ANSWERS=$(O)/test/web/answers test/web/run
check-corpora: $(corpora)              ## judge the parsers by conformance data: CORPORA=folder [DOCS=1]
	@$(if $(DOCS),scripts/check-docs )$(corpora) "$(CORPORA)"
soak: all                              ## the long tests: full rounds, every fault, random kills
	@WEFT=$(O)/weft O=$(O) scripts/soak
check-real: all                        ## crawl real documentation served by nginx
	@WEFT=$(O)/weft scripts/check-real
bench: all $(bench)                    ## time the executor, the parsers and the engines
	@set -e; for b in $(bench); do $$b; done
	@WEFT=$(O)/weft test/bench/fairness.py
tables: all                            ## reproduce known tables of bounded concurrency
	@WEFT=$(O)/weft scripts/tables
fuzz: $(fuzz)                          ## fuzz each parser for RUNS inputs or SECONDS_EACH (clang)
	@scripts/run-fuzz $(fuzz)
coverage:                              ## line coverage of the tests
	@$(MAKE) check COV=1 CFLAGS="-O0 -g"
	@scripts/coverage $(BUILD)/cov

sources := $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/weft/*.h test/*/*.[ch] test/*/*/*.[ch])
format:                                ## rewrite the sources with clang-format
	clang-format -i $(sources)
lint: | $(BUILD)/.ready                ## check the format, run clang-tidy
	@scripts/bootstrap lint
	clang-format --dry-run --Werror $(sources)
	@scripts/lint $(foreach l,$(layers) lessons,$(wildcard src/$(l)/*.c src/$(l)/*/*.c))

installing = DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' VERSION=$(VERSION) SOMAJOR=$(SOMAJOR) O='$(O)' LIBRARIES='$(foreach l,$(uses_crawl),$(pkgs_$(l)))'
install: all                           ## install under PREFIX (DESTDIR is honoured)
	@$(installing) scripts/install
uninstall:                             ## remove what install put down
	@$(installing) scripts/install --remove
clean:                                 ## remove the build tree
	rm -rf $(BUILD)
help:                                  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'

-include $(shell find $(O) -name '*.d' 2>/dev/null)
.PHONY: all everything run check check-asan check-tsan check-all check-web check-corpora soak check-real bench tables fuzz coverage format lint install uninstall clean help
.DELETE_ON_ERROR:
.SECONDARY:

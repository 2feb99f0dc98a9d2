/* A plugin for user-mode QEMU that counts what each call of a routine executes.
 *
 *   -plugin FILE.so,start=ADDRESS,bytes=SIZE,out=FILE
 *
 * The routine is whatever lies in the SIZE bytes from ADDRESS on. A call starts
 * with the first instruction in there and ends with the first one outside. Each
 * adds a line `instructions,loads,stores,taken` to the output, where taken
 * counts the instructions that do not stand behind the one executed before.
 *
 * Nothing of QEMU's headers is needed: what is used of its plugin interface is
 * declared here. PLUGIN_VERSION is the interface's version: 1 up to QEMU 8, 2
 * from QEMU 9 on, which knows these functions unchanged.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Opaque here. */
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { CB_NO_REGS = 0 };
enum { MEM_RW = 3 };

typedef void (*translated_fn)(uint64_t id, struct qemu_plugin_tb *block);
typedef void (*executed_fn)(unsigned cpu, void *data);
typedef void (*accessed_fn)(unsigned cpu, uint32_t info, uint64_t address, void *data);
typedef void (*exit_fn)(uint64_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated_fn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, executed_fn, int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, accessed_fn, int flags, int rw, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, exit_fn, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
bool qemu_plugin_mem_is_store(uint32_t info);

EXPORT int qemu_plugin_version = PLUGIN_VERSION;

/* One instruction of the program, as its callback is told of it. */
struct place {
	uint64_t address;
	uint64_t behind;
};

static uint64_t start, bytes;
static FILE *out;

static bool inside;
static unsigned long instructions, loads, stores, taken;
/* Address behind the instruction that was executed last. */
static uint64_t expected;

static void executed(unsigned cpu, void *data)
{
	const struct place *place = data;

	(void)cpu;
	if (place->address - start >= bytes) {
		if (inside)
			fprintf(out, "%lu,%lu,%lu,%lu\n", instructions, loads, stores, taken);
		inside = false;
		return;
	}
	if (!inside)
		instructions = loads = stores = taken = 0;
	else if (place->address != expected)
		taken++;
	inside = true;
	instructions++;
	expected = place->behind;
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)address;
	(void)data;
	if (qemu_plugin_mem_is_store(info))
		stores++;
	else
		loads++;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	size_t count = qemu_plugin_tb_n_insns(block);

	(void)id;
	for (size_t i = 0; i < count; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		/* Never freed: the block may be executed to the very end. */
		struct place *place = malloc(sizeof(*place));

		if (!place)
			abort();
		place->address = qemu_plugin_insn_vaddr(insn);
		place->behind = place->address + qemu_plugin_insn_size(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, CB_NO_REGS, place);
		if (place->address - start < bytes)
			qemu_plugin_register_vcpu_mem_cb(insn, accessed, CB_NO_REGS, MEM_RW, NULL);
	}
}

static void finish(uint64_t id, void *data)
{
	(void)id;
	(void)data;
	if (fclose(out))
		abort();
}

EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "start=", 6))
			start = strtoull(argv[i] + 6, NULL, 0);
		else if (!strncmp(argv[i], "bytes=", 6))
			bytes = strtoull(argv[i] + 6, NULL, 0);
		else if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	}
	if (!bytes || !out)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, finish, NULL);
	return 0;
}

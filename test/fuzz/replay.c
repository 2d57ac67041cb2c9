/* replay.c -- runs a fuzz target over files with the ordinary compiler: its seed corpus and every
 * input that once crashed. Arguments: files or folders; default: the folders named after the
 * program under test/fuzz. Ends with "N passed, N failed"; an input that crashes ends it at once.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned passed;

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 1;
    }
    struct stat sb;
    if (fstat(fileno(f), &sb) != 0) {
        perror(path);
        fclose(f);
        return 1;
    }
    size_t size = (size_t)sb.st_size;
    uint8_t *data = malloc(size + 1); /* heap, exact: a sanitizer sees an over-read */
    if (!data || fread(data, 1, size, f) != size) {
        fprintf(stderr, "%s: can't be read\n", path);
        free(data);
        fclose(f);
        return 1;
    }
    fclose(f);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    passed++;
    return 0;
}

static int replay_folder(const char *path)
{
    DIR *d = opendir(path);
    if (!d) {
        return 0; /* no crash folder yet */
    }
    int failed = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') {
            continue;
        }
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        failed += replay_file(file);
    }
    closedir(d);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        failed += replay_file(argv[i]);
    }
    if (argc < 2) {
        const char *name = strrchr(argv[0], '/');
        name = name ? name + 1 : argv[0];
        name = strncmp(name, "replay_", 7) == 0 ? name + 7 : name;
        char path[1024];
        snprintf(path, sizeof path, "test/fuzz/corpus/%s", name);
        failed += replay_folder(path);
        snprintf(path, sizeof path, "test/fuzz/crash/%s", name);
        failed += replay_folder(path);
    }
    printf("%u passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}

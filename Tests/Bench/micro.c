/* The C limit: nanoseconds a GPS frame, CSV rows a second with one write each, both of processor
 * time, so that what else the machine does counts little.
 * Prints "encode_ns N", "decode_ns N" and "rows_per_second N". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "frame.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void codec(void) {
    /* A published frame first, so that what is measured is right. */
    const uint8_t want[] = {0xAA, 0x1B, 0, 1, 0, 0, 0, 0, 5, 0, 0x57, 0xEE, 0x1D, 4,
                            0, 0, 0x33, 0xFF, 0x0A, 1, 0x47, 0x39, 0x36, 0xF4, 0xFA, 0xE1, 0xD0};
    uint8_t bytes[128];
    if (frame(bytes, 0x1D, 4, 1, 5, want + 14, 9) != 27 || memcmp(bytes, want, 27)) {
        puts("golden frame differs");
        exit(1);
    }
    GPSPush push = {20260101, 120000, 0, 0, 100000, 0, 0, 0, 1500, 1000, 10, 12};
    const int count = 5000000;
    unsigned sum = 0;
    double begun = seconds();
    for (int i = 0; i < count; i++) {
        push.latitude = i;
        sum += (unsigned)frame(bytes, 0, 0x17, 0, (uint16_t)i, &push, sizeof push) + bytes[62];
    }
    printf("encode_ns %.1f\n", (seconds() - begun) / count * 1e9);
    /* Two of them in turn, so that nothing can be done once for all. */
    uint8_t other[128];
    memcpy(other, bytes, sizeof other);
    frame(bytes, 0, 0x17, 0, 1, &push, sizeof push);
    begun = seconds();
    for (int i = 0; i < count; i++) {
        if (!unframe(i & 1 ? bytes : other, 66, &push, sizeof push)) { puts("unsound"); exit(1); }
        sum += (unsigned)push.latitude;
    }
    printf("decode_ns %.1f\n", (seconds() - begun) / count * 1e9);
    fprintf(stderr, "sum %u\n", sum);
}

static void rows(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) { perror(path); exit(1); }
    const int count = 500000;
    char line[512];
    double begun = seconds();
    for (int i = 0; i < count; i++) {
        int n = snprintf(line, sizeof line,
            "2026-07-01 10:00:00.%03dZ,%.8f,%.8f,%.2f,%.3f,%.2f,3d,%d,%.2f,%.3f,%.2f,%.2f,%.2f,"
            "%.3f,%.6f,%d,%s,%d,%s\n", i % 1000, 48.1234567 + i * 1e-7, 11.1234567, 545.4, 12.345,
            84.4, 12, 0.9, 0.12, 592.7, 1.5, 2.5, 1782900000.1 + i * 0.1, 1234.5 + i * 0.1, i,
            "/dev/ttyACM0", 4, "cam1+cam2");
        if (write(file, line, (size_t)n) != n) { perror(path); exit(1); }
    }
    printf("rows_per_second %.0f\n", count / (seconds() - begun));
    close(file);
}

int main(int count, char **words) {
    if (count != 2) { fprintf(stderr, "usage: micro SCRATCH-FILE\n"); return 64; }
    make_tables();
    codec();
    rows(words[1]);
    return 0;
}

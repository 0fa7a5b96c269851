/* The wire format at its barest, to measure against: one frame of protocol section 2. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 0017, 48 bytes in the order of the wire. */
typedef struct {
    int32_t date, time, longitude, latitude, height;
    float north, east, down;
    uint32_t vertical, horizontal, speed, satellites;
} GPSPush;

static uint16_t table16[256];
static uint32_t table32[8][256];

static void make_tables(void) {
    for (unsigned i = 0; i < 256; i++) {
        uint16_t a = (uint16_t)i;
        uint32_t b = i;
        for (int k = 0; k < 8; k++) {
            a = a & 1 ? a >> 1 ^ 0xA001 : a >> 1;
            b = b & 1 ? b >> 1 ^ 0xEDB88320u : b >> 1;
        }
        table16[i] = a;
        table32[0][i] = b;
    }
    for (unsigned i = 0; i < 256; i++)
        for (int s = 1; s < 8; s++)
            table32[s][i] = table32[s - 1][i] >> 8 ^ table32[0][table32[s - 1][i] & 255];
}

static inline uint16_t crc16(const uint8_t *p, size_t n) {
    uint16_t c = 0x3AA3;
    while (n--) c = c >> 8 ^ table16[(c ^ *p++) & 255];
    return c;
}

static inline uint32_t crc32(const uint8_t *p, size_t n) {
    uint32_t c = 0x3AA3;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        x ^= c;
        c = table32[7][x & 255] ^ table32[6][x >> 8 & 255] ^ table32[5][x >> 16 & 255]
            ^ table32[4][x >> 24 & 255] ^ table32[3][x >> 32 & 255] ^ table32[2][x >> 40 & 255]
            ^ table32[1][x >> 48 & 255] ^ table32[0][x >> 56];
    }
    while (n--) c = c >> 8 ^ table32[0][(c ^ *p++) & 255];
    return c;
}

/* Writes a frame and returns its length. */
static inline size_t frame(uint8_t *o, uint8_t set, uint8_t id, uint8_t type, uint16_t sequence,
                           const void *payload, size_t n) {
    size_t length = 18 + n;
    memset(o, 0, 8);
    o[0] = 0xAA;
    o[1] = length & 255;
    o[2] = length >> 8 & 3;
    o[3] = type;
    memcpy(o + 8, &sequence, 2);
    uint16_t c = crc16(o, 10);
    memcpy(o + 10, &c, 2);
    o[12] = set;
    o[13] = id;
    memcpy(o + 14, payload, n);
    uint32_t d = crc32(o, 14 + n);
    memcpy(o + 14 + n, &d, 4);
    return length;
}

/* Reads one frame with a payload of n bytes; false where it is not exactly that. */
static inline int unframe(const uint8_t *p, size_t count, void *payload, size_t n) {
    uint16_t sum16;
    uint32_t sum32;
    if (count != 18 + n || p[0] != 0xAA || (p[1] | (p[2] & 3) << 8) != (int)count) return 0;
    memcpy(&sum16, p + 10, 2);
    memcpy(&sum32, p + 14 + n, 4);
    if (crc16(p, 10) != sum16 || crc32(p, 14 + n) != sum32) return 0;
    memcpy(payload, p + 14, n);
    return 1;
}

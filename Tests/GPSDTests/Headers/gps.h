/* What geotagd uses of gps.h, as the release with API number STUB_API has it: for the test that the
 * shim compiles against each of them. Only shapes; nothing here runs. */
#ifndef STUB_GPS_H
#define STUB_GPS_H
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define GPSD_API_MAJOR_VERSION STUB_API
#define GPSD_API_MINOR_VERSION 0

typedef uint64_t gps_mask_t;
typedef struct timespec timespec_t;

#define TIME_SET (1llu << 2)
#define STATUS_SET (1llu << 9)
#define DOP_SET (1llu << 11)
#define SATELLITE_SET (1llu << 15)
#define DEVICE_SET (1llu << 19)
#define VERSION_SET (1llu << 28)
#define WATCH_ENABLE 0x000001u
#define WATCH_JSON 0x000010u

struct gps_fix_t {
#if STUB_API >= 9
    timespec_t time;
    double altHAE, altMSL;
#else
    double time;
#endif
    int mode;
#if STUB_API >= 10
    int status;
#endif
    double latitude, longitude, altitude, track, speed, climb;
    double epx, epy, epv, eps;
#if STUB_API >= 8
    double eph;
#endif
};

struct devconfig_t {
    char path[128];
#if STUB_API >= 9
    timespec_t activated;
#else
    double activated;
#endif
};

struct gps_data_t {
    gps_mask_t set;
    int gps_fd;
    struct gps_fix_t fix;
#if STUB_API < 10
    int status;
#endif
    int satellites_used;
    struct { double hdop; } dop;
    struct devconfig_t dev;
};

int gps_open(const char *, const char *, struct gps_data_t *);
int gps_close(struct gps_data_t *);
int gps_stream(struct gps_data_t *, unsigned int, void *);
#if STUB_API >= 7
int gps_read(struct gps_data_t *, char *, int);
#else
int gps_read(struct gps_data_t *);
#endif
#endif

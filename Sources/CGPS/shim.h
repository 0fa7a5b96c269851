/* The one place that knows how libgps differs from release to release: gps.h 3.17 (API 6.1) to
 * 3.27 (API 16). Everything that Swift sees of a message goes through these functions.
 *
 * | API | releases | what changed |
 * | --- | --- | --- |
 * | 6 | 3.17 | gps_read(data); time is a double; altitude; data.status |
 * | 7 | 3.18 | gps_read(data, message, length) |
 * | 8 | 3.19 | fix.eph |
 * | 9 | 3.20 | time is a timespec; altMSL and altHAE, altitude is undefined |
 * | 10 to 16 | 3.21 to 3.27 | fix.status |
 *
 * The library's soname protects its layout, not the API number (3.26 changed MAXCHANNELS alone):
 * build where you run. */
#ifndef GEOTAGD_CGPS_SHIM_H
#define GEOTAGD_CGPS_SHIM_H

#include <gps.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#if !defined(GPSD_API_MAJOR_VERSION)
#error "gps.h names no GPSD_API_MAJOR_VERSION: geotagd needs libgps 3.17 to 3.27 (libgps-dev)."
#elif GPSD_API_MAJOR_VERSION < 6
#error "This gps.h is older than libgps 3.17 (API 6.1): geotagd needs libgps 3.17 to 3.27."
#elif GPSD_API_MAJOR_VERSION > 16 && !defined(GEOTAGD_ANY_LIBGPS)
#error "This gps.h is newer than libgps 3.27 (API 16), which geotagd knows: compare shim.h with the list of changes in gps.h, or define GEOTAGD_ANY_LIBGPS to try."
#endif

/* What a message is; bits, since libgps may set several. */
enum {
    CGPS_POSITION = 1,
    CGPS_SKY = 2,
    CGPS_DEVICE = 4,
    CGPS_VERSION = 8
};

/* The numbers of a TPV object as libgps left them: NAN where there was none, unchecked. */
struct cgps_position {
    int mode;
    int status;
    int has_time;
    /* Unix time, rounded to the microsecond: gpsd's text has milliseconds, and binary fractions cut
     * off would lose one. */
    long long time_ns;
    double latitude, longitude;
    double altitude_msl, altitude_hae;
    double speed, track, climb;
    double eph, epv, eps;
};

/* A connection: one heap block of 35 kB for its life, never copied. */
struct cgps {
    struct gps_data_t data;
    /* The last message as it came, cut to what libgps itself takes; empty with API 6. */
    char line[10241];
};

static inline struct cgps *cgps_allocate(void) {
    return (struct cgps *)calloc(1, sizeof(struct cgps));
}

/* Blocks for name resolution and connect. 0, or the library's or the system's error number. */
static inline int cgps_open(struct cgps *cgps, const char *host, const char *port) {
    struct gps_data_t *data = &cgps->data;
    errno = 0;
    if (gps_open(host, port, data) != 0) return errno != 0 ? errno : -1;
    fcntl((int)data->gps_fd, F_SETFL, fcntl((int)data->gps_fd, F_GETFL) | O_NONBLOCK);
    fcntl((int)data->gps_fd, F_SETFD, FD_CLOEXEC);
    return 0;
}

static inline int cgps_descriptor(const struct cgps *cgps) { return (int)cgps->data.gps_fd; }

/* Asks for reports of all devices. 0, or -1. */
static inline int cgps_watch(struct cgps *cgps) {
    return gps_stream(&cgps->data, WATCH_ENABLE | WATCH_JSON, NULL) < 0 ? -1 : 0;
}

/* Says good-bye, closes and frees. */
static inline void cgps_close(struct cgps *cgps) {
    gps_close(&cgps->data);
    free(cgps);
}

/* Frees what was never opened. */
static inline void cgps_free(struct cgps *cgps) { free(cgps); }

/* Reads one message. 1 where there was one, 0 where there is none whole yet, -1 at the end.
 *
 * `set` is cleared first: every class but TPV adds its bit to what stands there, and an unknown one
 * leaves it, so that an old fix would be seen again at each SKY. What the library calls "nothing
 * yet" is looked at again: 3.17 says so at the end of the stream too, if half a line came before
 * it, and for ever when a line is longer than its buffer. */
static inline int cgps_read(struct cgps *cgps) {
    struct gps_data_t *data = &cgps->data;
    int tries;
    for (tries = 0; tries < 64; tries++) {
        char byte;
        ssize_t more;
        int got;
        data->set = 0;
        cgps->line[0] = 0;
#if GPSD_API_MAJOR_VERSION >= 7
        got = gps_read(data, cgps->line, (int)sizeof cgps->line);
#else
        got = gps_read(data);
#endif
        if (got != 0) return got > 0 ? 1 : -1;
        more = recv((int)data->gps_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (more == 0) return -1;
        if (more < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
    }
    return -1;
}

/* Whether the last message says that a device was let go. libgps since 3.20 cannot read it: gpsd
 * writes a bare 0 where the library wants a quoted time. */
static inline int cgps_is_release(const struct cgps *cgps) {
    static const char key[] = "\"activated\":0";
    const char *found;
    char next;
    if (strstr(cgps->line, "\"class\":\"DEVICE\"") == NULL) return 0;
    found = strstr(cgps->line, key);
    if (found == NULL) return 0;
    next = found[sizeof key - 1];
    return next == ',' || next == '}';
}

/* What the last message was: CGPS_… bits. */
static inline int cgps_kind(const struct cgps *cgps) {
    const struct gps_data_t *data = &cgps->data;
    int kind = 0;
    if ((data->set & STATUS_SET) && data->fix.mode >= 0) kind |= CGPS_POSITION;
    if (data->set & (SATELLITE_SET | DOP_SET)) kind |= CGPS_SKY;
    if ((data->set & DEVICE_SET) || cgps_is_release(cgps)) kind |= CGPS_DEVICE;
    if (data->set & VERSION_SET) kind |= CGPS_VERSION;
    return kind;
}

/* The device that the last message speaks of; empty where it names none. */
static inline const char *cgps_device(const struct cgps *cgps) { return cgps->data.dev.path; }

/* Whether that device is in use. */
static inline int cgps_device_active(const struct cgps *cgps) {
    if (cgps_is_release(cgps)) return 0;
#if GPSD_API_MAJOR_VERSION >= 9
    return cgps->data.dev.activated.tv_sec != 0;
#else
    return cgps->data.dev.activated != 0 && !isnan(cgps->data.dev.activated);
#endif
}

static inline void cgps_get_position(
    const struct cgps *cgps, struct cgps_position *position) {
    const struct gps_data_t *data = &cgps->data;
    const struct gps_fix_t *fix = &data->fix;
    double seconds, fraction;
    position->mode = fix->mode;
#if GPSD_API_MAJOR_VERSION >= 10
    position->status = fix->status;
#else
    position->status = data->status;
#endif
#if GPSD_API_MAJOR_VERSION >= 9
    seconds = (double)fix->time.tv_sec;
    fraction = (double)fix->time.tv_nsec / 1e9;
    position->altitude_msl = fix->altMSL;
    position->altitude_hae = fix->altHAE;
    /* A gpsd before 3.20 sends `alt` alone, a height above the sea; the library keeps it here. */
    if (!isfinite(fix->altMSL) && !isfinite(fix->altHAE)) position->altitude_msl = fix->altitude;
#else
    seconds = floor(fix->time);
    fraction = fix->time - seconds;
    position->altitude_msl = fix->altitude;
    position->altitude_hae = NAN;
#endif
    position->has_time = (data->set & TIME_SET) != 0 && isfinite(seconds) && isfinite(fraction)
        && seconds > 0 && seconds < 9e9;
    position->time_ns = position->has_time
        ? (long long)seconds * 1000000000LL + llround(fraction * 1e6) * 1000LL : 0;
    position->latitude = fix->latitude;
    position->longitude = fix->longitude;
    position->speed = fix->speed;
    position->track = fix->track;
    position->climb = fix->climb;
#if GPSD_API_MAJOR_VERSION >= 8
    position->eph = fix->eph;
#else
    position->eph = hypot(fix->epx, fix->epy);
#endif
    position->epv = fix->epv;
    position->eps = fix->eps;
}

/* Satellites used as the last sky message says it; -1 where it says none. */
static inline int cgps_satellites_used(const struct cgps *cgps) {
    return (cgps->data.set & SATELLITE_SET) ? cgps->data.satellites_used : -1;
}

/* Horizontal dilution; NAN where unknown. */
static inline double cgps_hdop(const struct cgps *cgps) { return cgps->data.dop.hdop; }

#endif

/* The C limit of the whole job: real gpsd in, one 66-byte frame a camera and tick out over acquired
 * descriptors.  No handshake, no credit, no commands: what is left when all that is taken away.
 *
 *   client GPSD-PORT DEVICE-PATH...     prints READY when all are connected; runs until SIGTERM */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <gps.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include "frame.h"

static DBusConnection *bus;

static DBusMessage *call(const char *path, const char *interface, const char *method, int options) {
    DBusMessage *request = dbus_message_new_method_call("org.bluez", path, interface, method);
    DBusMessageIter at, dictionary;
    DBusError error;
    dbus_error_init(&error);
    if (options) {
        dbus_message_iter_init_append(request, &at);
        dbus_message_iter_open_container(&at, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
        dbus_message_iter_close_container(&at, &dictionary);
    }
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, request, 30000, &error);
    dbus_message_unref(request);
    if (!reply) { fprintf(stderr, "%s %s: %s\n", path, method, error.message); exit(1); }
    return reply;
}

/* The stand-in shows each device's services under fixed names once they are resolved. */
static int acquire(const char *device) {
    char path[160];
    dbus_message_unref(call(device, "org.bluez.Device1", "Connect", 0));
    struct timespec pause = {1, 0};
    nanosleep(&pause, NULL);
    snprintf(path, sizeof path, "%s/service0028/char0029", device);
    dbus_message_unref(call(path, "org.bluez.GattCharacteristic1", "StartNotify", 0));
    snprintf(path, sizeof path, "%s/service0028/char002c", device);
    DBusMessage *reply = call(path, "org.bluez.GattCharacteristic1", "AcquireWrite", 1);
    int descriptor = -1;
    uint16_t mtu = 0;
    dbus_message_get_args(reply, NULL, DBUS_TYPE_UNIX_FD, &descriptor, DBUS_TYPE_UINT16, &mtu,
                          DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    return descriptor;
}

int main(int count, char **words) {
    if (count < 3) { fprintf(stderr, "usage: client GPSD-PORT DEVICE-PATH...\n"); return 64; }
    int cameras = count - 2, *descriptors = calloc((size_t)cameras, sizeof(int)), bus_fd;
    make_tables();
    bus = dbus_bus_get(DBUS_BUS_SYSTEM, NULL);
    if (!bus) { fprintf(stderr, "no bus\n"); return 1; }
    /* Devices exist once they have been heard. */
    struct timespec listen = {4, 0};
    dbus_message_unref(call("/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery", 0));
    nanosleep(&listen, NULL);
    dbus_message_unref(call("/org/bluez/hci0", "org.bluez.Adapter1", "StopDiscovery", 0));
    for (int i = 0; i < cameras; i++) descriptors[i] = acquire(words[i + 2]);
    dbus_bus_add_match(bus, "type='signal',sender='org.bluez'", NULL);
    static struct gps_data_t gps;
    if (gps_open("127.0.0.1", words[1], &gps)) { fprintf(stderr, "no gpsd\n"); return 1; }
    gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
    dbus_connection_get_unix_fd(bus, &bus_fd);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec grid = {{0, 100000000}, {0, 100000000}};
    timerfd_settime(timer, 0, &grid, NULL);
    puts("READY");
    fflush(stdout);
    GPSPush push = {20260101, 120000, 0, 0, 0, 0, 0, 0, 1500, 1000, 10, 12};
    uint16_t sequence = 0;
    uint8_t bytes[128];
    struct pollfd ready[3] = {{timer, POLLIN, 0}, {bus_fd, POLLIN, 0}, {gps.gps_fd, POLLIN, 0}};
    for (;;) {
        poll(ready, 3, -1);
        if (ready[2].revents && gps_read(&gps, NULL, 0) > 0 && gps.fix.mode >= 2) {
            double course = gps.fix.track * M_PI / 180;
            push.latitude = (int32_t)(gps.fix.latitude * 1e7);
            push.longitude = (int32_t)(gps.fix.longitude * 1e7);
            push.height = (int32_t)(gps.fix.altMSL * 1000);
            push.north = (float)(gps.fix.speed * cos(course) * 100);
            push.east = (float)(gps.fix.speed * sin(course) * 100);
        }
        if (ready[1].revents) {
            DBusMessage *message;
            dbus_connection_read_write(bus, 0);
            while ((message = dbus_connection_pop_message(bus))) dbus_message_unref(message);
        }
        uint64_t ticks;
        if (ready[0].revents && read(timer, &ticks, 8) == 8)
            for (int i = 0; i < cameras; i++) {
                size_t length = frame(bytes, 0, 0x17, 0, sequence++, &push, sizeof push);
                if (write(descriptors[i], bytes, length) < 0) perror("write");
            }
    }
}

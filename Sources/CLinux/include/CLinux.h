/* What the Glibc module lacks: descriptors for timers, signals and readiness. */
#ifndef GEOTAGD_CLINUX_H
#define GEOTAGD_CLINUX_H

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

#endif

/* Loaded into a program (LD_PRELOAD), lets one of its operations on files of the folder FAIL_FOLDER
 * fail, and creates the file FAIL_MARK then. The operations are counted from 1:
 *
 *   FAIL_WRITE_AT   writes, changes of length, syncs and renames. A failed write has written half of its
 *                   bytes, as on a disk that becomes full.
 *   FAIL_READ_AT    openings, reads and requests of the state
 *
 * With FAIL_BY_KILL the process is killed instead.
 *
 * With SHORT_TRANSFERS nothing fails, but a read or write transfers nine bytes at most, and each
 * second one is interrupted by a signal. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct kind {
    const char *variable;
    atomic_long count;
};

static struct kind writes = {"FAIL_WRITE_AT", 0}, reads = {"FAIL_READ_AT", 0};

/* Whether this operation is the one that fails. */
static int is_next(struct kind *kind) {
    const char *at = getenv(kind->variable), *mark = getenv("FAIL_MARK");
    if (!at || atomic_fetch_add(&kind->count, 1) + 1 != atol(at)) return 0;
    if (mark) {
        long fd = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (fd >= 0) syscall(SYS_close, fd);
    }
    return 1;
}

/* The tools get relative paths in the folder; SQLite makes them absolute. */
static int is_own_path(const char *path) {
    const char *folder = getenv("FAIL_FOLDER");
    if (!folder || path[0] != '/') return folder != NULL;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_own(int fd) {
    struct stat status;
    char link[64], path[PATH_MAX];
    if (!getenv("FAIL_FOLDER")) return 0;
    if (syscall(SYS_newfstatat, fd, "", &status, AT_EMPTY_PATH) != 0) return 0;
    if (!S_ISREG(status.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_own_path(path);
}

static int fail(int error) {
    if (getenv("FAIL_BY_KILL")) raise(SIGKILL);
    errno = error;
    return -1;
}

/* The number of bytes to transfer; 0 for an interruption. */
static size_t shortened(size_t length) {
    static atomic_long count;
    if (!getenv("SHORT_TRANSFERS") || length == 0) return length;
    if (atomic_fetch_add(&count, 1) % 2) return 0;
    return length < 9 ? length : 9;
}

/* As `shortened`, for a write: the failing one writes half of its bytes, and the next one fails. */
static ssize_t written(size_t length) {
    static atomic_int is_torn;
    if (atomic_exchange(&is_torn, 0)) return fail(ENOSPC);
    if (is_next(&writes)) {
        if (length < 2) return fail(ENOSPC);
        atomic_store(&is_torn, 1);
        return length / 2;
    }
    size_t part = shortened(length);
    return part || !length ? (ssize_t)part : fail(EINTR);
}

/* The number of bytes to read. */
static ssize_t to_read(int fd, size_t length) {
    if (!is_own(fd)) return length;
    if (is_next(&reads)) return fail(EIO);
    size_t part = shortened(length);
    return part || !length ? (ssize_t)part : fail(EINTR);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    ssize_t part = is_own(fd) ? written(length) : (ssize_t)length;
    return part < 0 ? part : syscall(SYS_write, fd, bytes, part);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (is_own(fd) && is_next(&writes)) return fail(ENOSPC);
    return syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    ssize_t part = is_own(fd) ? written(length) : (ssize_t)length;
    return part < 0 ? part : syscall(SYS_pwrite64, fd, bytes, part, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return pwrite64(fd, bytes, length, at);
}

int ftruncate64(int fd, off64_t length) {
    if (is_own(fd) && is_next(&writes)) return fail(EIO);
    return syscall(SYS_ftruncate, fd, length);
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* No test cuts the power: the disk need not be waited for. */
int fsync(int fd) {
    return is_own(fd) && is_next(&writes) ? fail(EIO) : 0;
}

int fdatasync(int fd) { return fsync(fd); }

int rename(const char *from, const char *to) {
    if (is_own_path(to) && is_next(&writes)) return fail(EIO);
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

ssize_t read(int fd, void *bytes, size_t length) {
    ssize_t part = to_read(fd, length);
    return part < 0 ? part : syscall(SYS_read, fd, bytes, part);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t at) {
    ssize_t part = to_read(fd, length);
    return part < 0 ? part : syscall(SYS_pread64, fd, bytes, part, at);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t at) { return pread64(fd, bytes, length, at); }

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    if (is_own_path(path) && is_next(&reads)) return fail(EIO);
    return syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN(name, parameters, folder) \
    int name parameters { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return open_at(folder, path, flags, mode); \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)

/* Rust's library asks with null pointers whether the system has this call. The declaration of the
 * system does not allow them, hence the other name. */
int watched_statx(int, const char *, int, unsigned, void *) __asm__("statx");
int watched_statx(int folder, const char *path, int flags, unsigned mask, void *status) {
    int is_watched = path && (path[0] ? is_own_path(path) : is_own(folder));
    if (is_watched && is_next(&reads)) return fail(EIO);
    return syscall(SYS_statx, folder, path, flags, mask, status);
}

int stat64(const char *path, struct stat64 *status) {
    if (is_own_path(path) && is_next(&reads)) return fail(EIO);
    return syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

int stat(const char *path, struct stat *status) { return stat64(path, (struct stat64 *)status); }

int fstat64(int fd, struct stat64 *status) {
    if (is_own(fd) && is_next(&reads)) return fail(EIO);
    return syscall(SYS_newfstatat, fd, "", status, AT_EMPTY_PATH);
}

int fstat(int fd, struct stat *status) { return fstat64(fd, (struct stat64 *)status); }

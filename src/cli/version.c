/* version.c -- what weft was built of. The one file of this layer that sees other libraries. */
#include "cli/command.h"

#include <curl/curl.h>
#include <jansson.h>
#include <libpsl.h>
#include <libxml/parser.h>
#include <microhttpd.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unicode/uversion.h>
#include <zlib.h>

int cli_print_version(void)
{
    UVersionInfo icu;
    char icu_text[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(icu);
    u_versionToString(icu, icu_text);
    printf("weft " WEFT_VERSION "\n");
    printf("%s\n", curl_version());
    printf("libxml2/%s ICU/%s SQLite/%s zlib/%s Jansson/%s libpsl/%s libmicrohttpd/%s\n",
           LIBXML_DOTTED_VERSION, icu_text, sqlite3_libversion(), zlibVersion(),
           jansson_version_str(), psl_get_version(), MHD_get_version());
    return CLI_OK;
}

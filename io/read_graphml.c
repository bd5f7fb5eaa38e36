/*
 * Reading GraphML, as igraph, networkx, Gephi, Cytoscape and we write it.
 *
 *     <key id="d0" for="node" attr.name="name"/>
 *     <graph edgedefault="directed">
 *       <node id="n0"><data key="d0">A</data></node>
 *       <edge source="n0" target="n1"><data key="d1">---</data></edge>
 *
 * A node is called by its data `name`, otherwise `label`, otherwise by its id. An edge is what its
 * data `mark` or `interaction` says (see dpc_relation), otherwise what its own `directed` says,
 * otherwise as the graph; arrows both ways are an undirected edge. Other data are skipped.
 */
#include "alloc.h"
#include "graph_ids.h"
#include "xml_scan.h"

/* What a <data> may be about. */
typedef enum about { ABOUT_NOTHING, ABOUT_LABEL, ABOUT_NAME, ABOUT_MARK } about;

typedef struct reader {
    dpc_builder *b;
    dpc_ids ids;
    dpc_names keys; /* ids of <key>; owned */
    about *abouts;  /* of each; owned */
    int64_t capacity;
    dpc_xml x;
    char *text; /* the room of the builder */
    size_t length;
    bool directed, found, closed; /* of the graph */
    int32_t from, to;             /* of the edge that is open */
    int32_t node;                 /* that is open; -1: none */
    bool edge;                    /* one is open */
    dpc_mark mark;                /* of it */
    const char *edge_at;
    about data;  /* of the <data> that is open */
    int skipped; /* depth inside of what does not matter */
} reader;

static dpc_status decode(reader *r, const char *begin, const char *end)
{
    r->length = dpc_xml_decode(begin, end, r->text);
    return r->length != DPC_XML_WRONG
               ? DPC_OK
               : dpc_build_refuse(r->b, begin, "a character by number that there is not");
}

/* An attribute of the tag into r->text; refused where it is needed and not there. */
static dpc_status attribute(reader *r, const char *name, bool needed, bool *there)
{
    const char *begin, *end;
    *there = dpc_xml_attribute(&r->x, name, &begin, &end);
    if (*there)
        return decode(r, begin, end);
    return needed ? dpc_build_refuse(r->b, r->x.at, "the <%.*s> has no %s", (int)r->x.length,
                                     r->x.name, name)
                  : DPC_OK;
}

/* ---- Keys ---- */

static about about_of(const char *name)
{
    dpc_name_rank rank = dpc_name_rank_of(name, strlen(name));
    bool mark = strcasecmp(name, "mark") == 0 || strcasecmp(name, "interaction") == 0;
    return mark                     ? ABOUT_MARK
           : rank == DPC_NAME_NAME  ? ABOUT_NAME
           : rank == DPC_NAME_LABEL ? ABOUT_LABEL
                                    : ABOUT_NOTHING;
}

static dpc_status open_key(reader *r)
{
    bool there;
    DPC_CHECK(attribute(r, "attr.name", false, &there));
    about about = there ? about_of(r->text) : ABOUT_NOTHING;
    DPC_CHECK(attribute(r, "id", true, &there));
    enum about *abouts =
        dpc_make_room(r->abouts, &r->capacity, r->keys.count + INT64_C(1), sizeof *abouts);
    if (abouts == NULL)
        return dpc_build_no_memory(r->b);
    r->abouts = abouts;
    int32_t key = dpc_names_add(&r->keys, r->text, r->length);
    if (key < 0)
        return dpc_build_no_memory(r->b);
    abouts[key] = about;
    return DPC_OK;
}

/* ---- Tags ---- */

static dpc_status open_graph(reader *r)
{
    bool there;
    if (r->found)
        return dpc_build_refuse(r->b, r->x.at, "there is a second graph; one file has one");
    r->found = true;
    dpc_status status = attribute(r, "edgedefault", false, &there);
    r->directed = !there || strcmp(r->text, "undirected") != 0;
    return status;
}

static dpc_status open_node(reader *r)
{
    bool there;
    DPC_CHECK(attribute(r, "id", true, &there));
    return dpc_ids_list(&r->ids, r->text, r->length, r->x.at, &r->node);
}

static dpc_status open_edge(reader *r)
{
    bool there, directed = r->directed;
    DPC_CHECK(attribute(r, "directed", false, &there));
    if (there)
        directed = strcmp(r->text, "true") == 0 || strcmp(r->text, "1") == 0;
    DPC_CHECK(attribute(r, "source", true, &there));
    DPC_CHECK(dpc_ids_node(&r->ids, r->text, r->length, r->x.at, &r->from));
    DPC_CHECK(attribute(r, "target", true, &there));
    DPC_CHECK(dpc_ids_node(&r->ids, r->text, r->length, r->x.at, &r->to));
    r->edge = true;
    r->edge_at = r->x.at;
    r->mark = directed ? DPC_FORWARD : DPC_UNDIRECTED;
    return DPC_OK;
}

static dpc_status open_data(reader *r)
{
    bool there;
    DPC_CHECK(attribute(r, "key", true, &there));
    int32_t key = dpc_names_find(&r->keys, r->text, r->length);
    r->data = key >= 0 ? r->abouts[key] : ABOUT_NOTHING;
    return DPC_OK;
}

static dpc_status open_tag(reader *r)
{
    static const struct {
        const char *name;
        dpc_status (*open)(reader *r);
    } TAGS[] = {{"key", open_key},
                {"graph", open_graph},
                {"node", open_node},
                {"edge", open_edge},
                {"data", open_data}};
    if (r->skipped > 0) {
        r->skipped += r->x.kind == DPC_XML_OPEN;
        return DPC_OK;
    }
    if (dpc_xml_is(&r->x, "hyperedge"))
        return dpc_build_refuse(r->b, r->x.at, "edges of more than two nodes cannot be read");
    for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++)
        if (dpc_xml_is(&r->x, TAGS[i].name))
            return TAGS[i].open(r);
    if (!dpc_xml_is(&r->x, "graphml")) /* all in it is somebody else's */
        r->skipped += r->x.kind == DPC_XML_OPEN;
    return DPC_OK;
}

static dpc_status close_tag(reader *r)
{
    if (r->skipped > 0)
        r->skipped -= r->x.kind == DPC_XML_CLOSE;
    else if (dpc_xml_is(&r->x, "graph"))
        r->closed = true;
    else if (dpc_xml_is(&r->x, "data"))
        r->data = ABOUT_NOTHING;
    else if (dpc_xml_is(&r->x, "node"))
        r->node = -1;
    else if (dpc_xml_is(&r->x, "edge") && r->edge) {
        r->edge = false;
        return dpc_ids_edge(&r->ids, r->from, r->to, r->mark, r->edge_at);
    }
    return DPC_OK;
}

/* ---- Data ---- */

static dpc_status take_text(reader *r)
{
    if (r->data == ABOUT_NOTHING || r->skipped > 0)
        return DPC_OK;
    if (r->x.kind == DPC_XML_CDATA) {
        r->length = (size_t)(r->x.end - r->x.begin);
        memcpy(r->text, r->x.begin, r->length);
        r->text[r->length] = '\0';
    } else {
        DPC_CHECK(decode(r, r->x.begin, r->x.end));
    }
    if (r->edge && r->data == ABOUT_MARK)
        return dpc_build_mark(r->b, r->text, r->length, r->x.at, &r->mark);
    if (r->node < 0 || r->data == ABOUT_MARK)
        return DPC_OK;
    return dpc_ids_name(&r->ids, r->node, r->data == ABOUT_NAME ? DPC_NAME_NAME : DPC_NAME_LABEL,
                        r->text, r->length);
}

/* ---- The way through ---- */

static dpc_status take_part(reader *r)
{
    switch (r->x.kind) {
    case DPC_XML_FAULT:
        return dpc_build_refuse(r->b, r->x.at, "what begins here is never closed: this is not XML");
    case DPC_XML_OPEN:
        return open_tag(r);
    case DPC_XML_EMPTY:
        DPC_CHECK(open_tag(r));
        return close_tag(r);
    case DPC_XML_CLOSE:
        return close_tag(r);
    case DPC_XML_TEXT:
    case DPC_XML_CDATA:
        return take_text(r);
    case DPC_XML_END:
        break;
    }
    return DPC_OK;
}

static dpc_status parse(reader *r)
{
    do {
        dpc_xml_next(&r->x);
        DPC_CHECK(take_part(r));
    } while (r->x.kind != DPC_XML_END);
    if (!r->found)
        return dpc_build_refuse(r->b, r->b->text, "there is no <graph> in it");
    if (!r->closed)
        return dpc_build_refuse(r->b, r->x.at, "the file ends before the graph does");
    DPC_CHECK(dpc_ids_finish(&r->ids, true, false));
    return dpc_build_sort(r->b, DPC_TWICE_BOTH_WAYS);
}

dpc_status dpc_parse_graphml(dpc_builder *b)
{
    reader r = {.b = b, .ids = {.b = b}, .x = {.next = b->text}, .node = -1, .text = b->room};
    dpc_status status = parse(&r);
    dpc_ids_clear(&r.ids);
    dpc_names_clear(&r.keys);
    free(r.abouts);
    return status;
}
